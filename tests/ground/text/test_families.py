"""A keyword stands for its derivations, its cognates and the short forms of the trade (decision 16), and for nothing
that only looks like one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.ground.text.families import relatives
from limpet.ground.text.stems import stem
from limpet.rules.matching import EXCLUDE, RECALL, build_index, find_matches

# Keyword -> words that must call it.
RIGHT = """
    invoice: invoices invoicing invoiced
    deploy: deployment deployments deploying redeploy déploiement déployer
    test: tests testing tested tester testable testar testes
    configuration: configure configuring configurable configuração configurações configuración configurer config
    config: configuration configuração configuración
    authenticate: authentication authenticator autenticar autenticação autenticación
    auth: authentication authenticate authorization authorized authentification autenticação
    validate: validation validator validators validación validação validateur validador
    migration: migrate migrating migrations migración migração migrer
    optimize: optimization optimizer optimización otimização otimizar optimiser
    serialize: serializer serialization serializador
    compress: compression compressor compressão compresión
    encrypt: encryption encrypted encryptor encriptar encriptación
    translate: translation translator tradução traducción traduction
    translation: translate translating
    accessibility: accessible acessível acessibilidade accesible accesibilidad
    availability: available
    readability: readable
    security: secure secured segurança seguridad sécurité
    payment: payments pay paid paying pago pagamento paiement
    approve: approved approval
    removal: remove removed removing
    retrieve: retrieval
    subscribe: subscription subscriber
    submit: submission submitted
    convert: conversion
    include: inclusion
    execute: execution executor ejecutar
    delete: deletion deleted
    distribute: distribution distributed
    error: errors erro erreur errores
    server: servers servidor serveur
    user: users usuário usuario utilisateur
    filter: filtered filtro filtre
    parameter: parameters parámetro paramètre
    container: containers contenedor conteneur containerize
    component: components composant componente
    project: projects projeto proyecto projet
    object: objeto objet
    structure: structures estructura estrutura
    strategy: estrategia estratégia stratégie
    standard: estándar
    sequence: secuencia
    exception: excepción exceção
    scalability: scalable escalabilidade escalable
    consistency: consistent
    concurrency: concurrent
    editor: éditeur
    install: installer installation instalar instalación instalação
    parse: parser parsers parsing
    lint: linter linting
    log: logs logger logging
    docker: dockerize dockerized
    function: functions función função fonction
    system: sistema système
    database: databases db
    kubernetes: k8s
    api: apis
    url: urls
    pr: prs
    cpu: cpus
    production: prod
    maintain: maintenance maintainable maintainability
    generate: generator generation generating gerar
    inspect: inspector inspection
    replace: replacement
    invalidate: invalidation
"""
# Keyword and a word that must not call it, and the other way round.
WRONG = """
    test contest  test latest  test attest  test protest  test testament  test testimony  contest context
    organ organize  organ organization  port portal  port report  port important  general generate
    general generation  general generous  universe university  universal university  form format  form former
    form platform  cent center  count counter  count country  count county  point pointer  post poster  cover recover
    search research  fund refund  view review  lease release  quest request  place replace  store restore
    act actor  act active  react reactor  section sector  commission commit  permission permit
    note notable  port portable  cap capable  account accountable  reason reasonable  question questionable
    instance instant  agency agent  currency current  patience patient  import important
    requirement require  element elementary
    contain container  custom customer  serve server  provide provider  numb number  corn corner  arch archive
    author authority  author authorize  capital capitalize  pass passion  miss mission
    sess session  nation native  nation national  produce product  product productive  station stationery
    document documentary  moment momentum  message massage  policy police  factor factory  director directory
    vision visit  plan planet  plan plane  car care  cart carton  data date  tab table  able ability  stab stable
    log login  log logic  log dialog  build guild  merge emerge  branch brunch  commit comet  commit committee
    rest resto  porta portal  carta carro  cuenta cuento  casa caso
    tela telefone  rota rotina  fatura futuro  erro erra
    rama ramo  ruta rutina  correo correr  pago pagina  entorno entero  pantalla plantar
    prueba probar  orden ordenador  contar contador  compte comte
    menu menor  lent lentille  revue revenu  bouton boutique  pays paye
    tableau table  fiche fichier  mot moteur  porte portail  montre monter  vente vent
    encanto encantador  caracter carat  combate comb  estado estrada
"""
PAIRS = [tuple(pair.split()) for line in WRONG.strip().splitlines() for pair in line.split("  ") if pair.strip()]
FORMS = [
    (line.split(":")[0].strip(), word) for line in RIGHT.strip().splitlines() for word in line.split(":")[1].split()
]
WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=16)


def calls(keyword, prompt, way="words", role=RECALL):
    return bool(find_matches(build_index([(0, role, keyword, way)]), prompt)[role])


@pytest.mark.parametrize(("keyword", "word"), FORMS)
def test_a_keyword_hears_its_family(keyword, word):
    """Derivations, cognates and short forms, in a sentence."""
    assert calls(keyword, f"look at the {word} again")


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_keyword_does_not_hear_a_word_that_looks_like_its_family(first, second):
    """In English, Portuguese, Spanish and French, in either direction."""
    assert not calls(first, f"look at the {second} again")
    assert not calls(second, f"look at the {first} again")


@pytest.mark.parametrize("way", ["word", "substring"])
def test_other_ways_have_no_families(way):
    """Exact stays exact, and substring is what CARL does."""
    assert not calls("configuration", "la configuración", way)
    assert not calls("removal", "remove it", way)


def test_a_keyword_meant_exactly_has_no_family():
    """Nor what excludes, lest it reach further than it says; a phrase hears inflections, and "pays" is a country."""
    assert calls("=deploy", "deploy it")
    assert not calls("=deploy", "the deployment")
    assert calls("removal", "the removals", role=EXCLUDE)
    assert not calls("removal", "remove it", role=EXCLUDE)
    assert calls("error budget", "our error budgets")
    assert not calls("error budget", "our erro budget")
    assert calls("payment", "who paid?")
    assert not calls("payment", "la liste des pays")


@settings(deadline=None, derandomize=True)
@given(WORDS)
def test_a_family_is_small_and_does_not_hold_its_own_stem(word):
    """So that a plan stays as small as it was; what is no plain word has none."""
    found = relatives(word)
    assert len(found) <= 12
    assert len(set(found)) == len(found)
    assert stem(word) not in found
    assert {relatives(other) for other in ("", "é", "配置", "c++", "two words", "x1")} == {()}

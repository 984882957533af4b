"""Groups of words that say what a request asks for, in the languages that the product understands.

Each is a feature of its own, so that a word nobody typed in the labelled requests counts as its neighbours do. Words
stand folded, as people type them; they are compared by stem.
"""

from __future__ import annotations

from holdfast.ground.text.stems import stem

_GROUPS = {
    "make": """
        build create develop implement introduce add design support integrate offer provide
        criar crie cria construir desenvolver implementar adicionar adiciona integrar desenhar suportar
        crear crea construir desarrollar implementa agregar agrega anadir anade integra disenar soportar
        creer construire developper ajouter ajoute integrer concevoir gerer
    """,
    "change": """
        change rename move replace update set use put make turn switch drop remove delete cut bump sort handle extract
        muda mudar troca trocar renomeia atualiza remove tira move usa deixa
        cambia cambiar renombra actualiza quita mueve usa deja elimina
        change changer renomme remplace supprime enleve deplace mets utilise
    """,
    "mend": """
        fix repair broken bug error fail failing crash wrong issue address solve correct mirror redo
        corrige corrigir conserta arruma quebrou erro falha problema
        arregla arreglalo corregir fallo falla roto problema
        corriger repare plante erreur bogue cassee
    """,
    "overhaul": """
        migrate migration rewrite redesign rework overhaul rebuild port convert split merge replace modernise upgrade
        restructure restyle move moving
        migrar migracao reescrever redesenhar reconstruir quebrar dividir reformular converter
        migracion reescribe reescribir redisenar redisena reconstruir convertir
        migrer reecrire refondre refonte reconstruire decouper convertir
    """,
    "whole": """
        whole entire complete completely full fully everything every across throughout scratch zero end
        todo toda todos inteiro inteira completo completa zero
        entera entero completamente
        tout toute toutes entier complet complete
    """,
    "product": """
        app application product platform saas system website site service marketplace portal shop store game backend
        frontend suite
        aplicativo aplicacao sistema plataforma produto loja servico jogo
        aplicacion producto tienda servicio juego
        plateforme produit boutique systeme jeu
    """,
    "part": """
        feature functionality module subsystem dashboard page screen wizard command integration provider plugin api
        endpoint webhook login search cache caching import export importer exporter sync notification report job queue
        funcionalidade recurso modulo painel tela comando integracao busca exportacao notificacao relatorio
        funcionalidad panel pantalla integracion busqueda exportacion notificacion informe proveedor
        fonctionnalite ecran commande recherche rapport fournisseur tableau
    """,
    "fresh": """
        new novel another second additional next idea
        novo nova novos ideia segundo
        nuevo nueva nuevos
        nouveau nouvelle nouvel deuxieme
    """,
    "scope": """
        auth authentication billing payment payments role roles permission permissions tenant tenancy user users
        customer customers mobile offline realtime schema database infrastructure security compliance audit sso
        pagamento pagamentos permissao permissoes usuario usuarios cliente clientes banco
        pago pagos permiso permisos
        paiement paiements utilisateur utilisateurs
    """,
    "plan": """
        plan planning roadmap milestone phase phases scope brainstorm proposal strategy steps stage
        plano planejar planeja etapas fases escopo
        planifica planificar etapas alcance
        planifie planifier etapes jalon jalons perimetre
    """,
    "requirements": """
        spec specification requirement requirements prd acceptance criteria
        especificacao requisito requisitos criterio criterios especificacion
        exigence exigences critere criteres specification
    """,
    "tickets": """
        task tasks ticket tickets issue story stories backlog estimate subtask epic
        tarefa tarefas historia historias estima
        tarea tareas
        tache taches decoupe
    """,
    "stages": """
        milestone mvp roadmap phase phases sprint later version
        fase fases etapas marco
        etapas hito
        jalon jalons etapes
    """,
    "people": """
        problem interview audience persona pain solve solving goal purpose who
        problema resolver objetivo publico entrevista
        objetivo resolver publico
        probleme resoudre objectif besoin
    """,
    "document": """
        document documents doc page draft write record
        documento escreve registra
        documento escribe registra
        redige ecris note
    """,
    "parts_of_done": """
        test tests docs documentation settings config configurable metrics retries validation persistence undo
        testes documentacao configuracoes metricas
        pruebas ajustes documentacion metricas
        reglages documentation metriques
    """,
    "want": """
        want need would like should quiero quero queremos necesitamos precisamos precisa preciso gostaria quisiera
        veux voudrais voudrait faudrait faut hay
    """,
    "ask": """
        what why how where which when who is are does do did can could should
        que qual como onde quando quem porque por
        cual donde cuando quien
        quoi comment quel quelle quelles quels combien pourquoi est
    """,
    "agree": """
        yes yep yup ok okay sure thanks thank proceed continue perfect great good nice cool agreed lgtm correct go
        sim isso obrigado obrigada valeu beleza pode continua perfeito certo
        si vale gracias dale adelante sigue claro perfecto
        oui merci daccord parfait continue vas
    """,
    "check": """
        review test verify validate check audit critique coverage qa confirm analyze tests inspect
        revisa revisao testa testes verifica confere valida analisa
        revision prueba pruebas comprueba analiza
        relis revue teste verifie valide
    """,
    "ship": """
        commit push merge release deploy tag rebase branch ci pipeline workflow docker kubernetes publish pr env
        production staging cherry squash
        sobe subir publica implanta producao
        despliega publicar produccion rama
        pousse deploie publie fusionne production branche
    """,
    "read": """
        explain understand show tell where overview walk locate works
        explica entender mostra mostre onde funciona entenda
        explicame entender muestra muestrame donde
        explique comprendre montre marche
    """,
    "look": """
        ui ux color colour button label text wording message layout spacing align font icon screen header menu style
        pretty look beautiful contrast tooltip theme
        cor botao texto mensagem tela espacamento bonito estilo
        boton mensaje bonita pantalla
        couleur bouton texte libelle ecran joli
    """,
    "structure": """
        architecture database schema table model interface library dependency pattern layer column index redis postgres
        sql protocol design approach option alternative tradeoff
        arquitetura banco biblioteca modelo camada coluna
        arquitectura biblioteca capa columna
        architecture bibliotheque couche colonne base
    """,
    "status": """
        status next left open remaining progress stand pending summary where priority
        falta paramos proximo pendente resumo
        falta siguiente pendiente resumen
        reste suite avancement
    """,
    "decided": """
        following discussed proposed proposal agreed approved already said
        seguinte seguir combinado proposto siguiente acordado propuesto suivant convenu
    """,
    "many": """
        all both several multiple each three four five various every
        todas varios varias cada tres
        plusieurs chaque trois
    """,
    "leave": """
        scrap abandon drop forget skip postpone pause hold instead rollback revert restart over aside priority first
        urgent anymore throw back
        esquece pula pausa abandona desfaz recomecar descarta prioridade lado urgente
        olvida salta descarta empecemos nuevo prioridad urgente deja cambio
        oublie saute abandonne annule repart laisse tomber priorite urgent
    """,
}


def _by_stem(groups: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the groups that each stem belongs to."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in groups.items():
        for each in dict.fromkeys(map(stem, words.split())):
            found[each] = (*found.get(each, ()), name)
    return found


CUES = _by_stem(_GROUPS)
# Two groups in one request say more than each alone.
PAIRS = (
    ("make", "product"),
    ("make", "part"),
    ("make", "fresh"),
    ("make", "parts_of_done"),
    ("overhaul", "whole"),
    ("overhaul", "product"),
    ("want", "part"),
    ("want", "product"),
    ("fresh", "part"),
    ("fresh", "product"),
    ("plan", "product"),
    ("plan", "part"),
    ("plan", "overhaul"),
    ("part", "parts_of_done"),
    ("scope", "part"),
    ("scope", "make"),
    ("ask", "read"),
    ("ask", "structure"),
    ("check", "agree"),
    ("decided", "plan"),
    ("agree", "plan"),
    ("plan", "document"),
    ("check", "plan"),
    ("check", "requirements"),
    ("document", "requirements"),
    ("make", "tickets"),
    ("leave", "plan"),
    ("leave", "part"),
)

"""Portuguese cues, matched in lower case without accents; ``cues`` tells what each name means.

A line is one alternative; an indented one continues the line before."""

CUES = {
    "decides": r"""
\b(?:vamos|a gente vai|iremos) (?:usar|utilizar|adotar|manter|migrar para|mudar para|ficar com|trocar|padronizar
    |seguir com|de|com)\b
\b(?:usaremos|utilizaremos|adotaremos|manteremos|ficaremos com)\b
^(?:ok|certo|sim|beleza)?[,.]? ?(?:fica|fique|vai|siga) (?:com|de)\b
(?:^|[,:] )(?:de agora em diante|daqui para a frente|daqui pra frente|a partir de agora),?
\b(?:nao vamos mais|nao iremos mais|deixamos de|paramos de) (?:usar|dar suporte|suportar|manter|oferecer)\b
\bfechado:
\b(?:ficamos|continuamos|seguimos|fica) (?:com|em|n[oa])\b
\bfica (?:o |a )?\S+ mesmo\b
""",
    "decided": r"""
\b(?:decidimos|decidi|a gente decidiu|optamos por|optei por|escolhemos|escolhi|ficamos com|combinamos|acordamos
    |definimos que|resolvemos (?:usar|adotar|manter))\b
\b(?:ficou|fica|foi|esta) (?:decidido|definido|combinado|acordado)\b
^(?:a )?decisao(?: final)? ?:
\b(?:a equipe|o time|o cliente) (?:decidiu|optou|escolheu|aprovou|validou)\b
""",
    "jointly": r"imos\b|amos\b|emos\b|\ba gente\b|\b(?:ficou|fica|foi|esta|equipe|time|cliente)\b",
    "offers": r" ou ",
    "answers": r"""
^(?:por favor,? )?(?:use|usa|usem|utilize|escolha|fica com|fique com|vai de)\b
""",
    "faults": r"""
^errado[:,.!]
^(?:nao, )?(?:isso|isto|ai) (?:esta|ta|e) (?:errado|incorreto|um erro)\b
^(?:nao, )?(?:isso )?nao (?:esta (?:certo|correto)|e isso|e assim)\b
""",
    "corrects": r"""
^nao(?:[,.:;!]| -) (?=(?:use|usa|isso|isto|o|a|os|as|e|deve|tem|coloque|deixe|na|no|so|somente|aqui|ele|ela)\b)
^(?:na verdade|na realidade),? (?!voce pode|pode|podes|poderia|consegue|da para)
^(?:como )?(?:eu )?(?:ja )?(?:te )?(?:disse|falei|pedi)\b
^(?:por favor,? )?nao (?:use|usa|usem|utilize|coloque|crie|adicione|importe|misture|escreva|faca mock|guarde|exponha
    |lance|mexa|mexe|altere|mude|edite|renomeie|commite|invente)\b
^(?:sim|pode(?: ser)?|ok|beleza|certo|isso|bom)[,.]? mas (?:com|sem|use|usa|nao use|em vez)\b
^(?:em vez|ao inves|no lugar) d\w+ \S+(?: \S+)?,? (?:use|usa|utilize)\b
^(?:pare|para|parem|evite) de (?:usar|criar|adicionar|colocar|escrever|importar|mexer|alterar|mudar|editar|remover
    |apagar
    |inventar|perguntar|commitar|gerar|instalar)\b|^evite (?:usar|criar|adicionar
    |colocar)\b
\b(?:eu )?prefiro\b
\b(?:voce )?(?:deveria ter|devia ter|era para (?:ter )?(?:usar|usado|colocar))\b
\bo (?:correto|certo) (?:e|seria|era)\b
^(?:por favor,? )?(?:use|usa) \S.{0,80}(?:em vez de|em vez d[oa]s?|ao inves d\w+|no lugar d\w+|, nao|e nao)\b
(?:,| e) nao (?:\S+ ){0,3}\S+$
^nao e (?!que\b|preciso\b|necessario\b)\S.{0,50}[,;:] (?!mas\b)
^nao(?:[,.:;!]| -) (?:eu )?(?:disse|quis dizer|quero|falei)\b
^(?:de novo|outra vez)[:,]\s
""",
    "errs": r"""
\b(?:falha|falham|falhou|falharam|quebra|quebram|quebrou|trava|travou|estoura|expira|nao (?:funciona|compila|sobe
    |inicia))\b.{0,120}\b(?:com|quando|se|porque|ao|sempre que|depois)\b
^(?:toda vez|sempre|cada vez) que (?!voce\b)\S.{4,120}\b(?:erro|falha|quebra|cai|trava|estoura|perde|some)\b
\b(?:da|deu|dando|dava|recebo|aparece|tenho|temos|ocorre)\b(?: \S+){0,3} (?:erro|excecao|timeout
    |falha)\b.{0,60}\b(?:quando|se|ao|em|na|no|sempre que|porque|depois)\b
""",
    "resolves": r"""
\bconsegui(?:mos)? (?:resolver|corrigir|consertar)(?: \S+){0,3}? \w+ndo\b
\ba (?:solucao|correcao) (?:foi|era)\b
\b(?:resolvi|resolvemos|corrigi|corrigimos|consertei|consertamos|arrumei)\b(?: \S+){0,4}? \w+ndo\b
\b(?:resolvido|corrigido|consertado|resolveu-se)(?: \S+){0,3}? (?:ao|com|\w+ndo)\b
^(?:corrigi|resolvi|consertei|arrumei) o (?:erro|problema|bug|teste): \S.{9,}
^\w+[aei]r\b.{3,120}\b(?:resolveu|corrigiu|consertou)\b
""",
    "causes": r"""
\ba causa(?: raiz)? (?:era|foi)\b
\bo (?:problema|erro|culpado) era\b
\b(?:era|foi) causad[oa] por\b|\b(?:se devia|devia-se) a\b
""",
    "describes": r"""
\b(?:este|esse|nosso|o) (?:projeto|repositorio|repo|codigo|time) (?:sempre |nunca |so |ja )?(?:usa|utiliza|segue
    |mantem|guarda|exige|adota|coloca)\b
\bn(?:este|esse|o nosso) (?:projeto|repositorio|repo|codigo),? (?:a gente|nos|sempre|nunca|todos?|todas?|usamos|cada
    |os?|as?)\b
\b(?:nossa|a) (?:convencao|regra|pratica|norma)(?: aqui| do projeto)? e\b
""",
    "holds": r"""
^(?:por favor,? )?(?:sempre|nunca) (?!\w+o\b|me |se |mais\b)\w+
\b(?:nos|a gente) (?:sempre|nunca) \w+
\b(?:sempre|nunca)\b.{3,}\b(?:n|d)(?:este|esse|o|a) (?:nosso )?(?:projeto|repositorio|repo)\b
^(?:todos?|todas?|cada|nenhuma?) \S.{1,60}\b(?:devem?|tem que|tem de|precisam?|pode)\b
^(?:lembre(?:-se)?|lembra)(?: de)? que\b|^tenha em mente\b
^aqui,? (?:nos |a gente )?(?:usamos|usa|guardamos|chamamos|escrevemos)\b|^(?:nos )?usamos\b
""",
    "asks": r"""
^(?:e |mas |entao |ok,? )?(?:devemos|devo|deveriamos|posso|podemos|pode(?!,| ser,)|poderia|consegue|qual|quais|por que
    |porque sera|como (?!eu|ja|te|disse)|quem|onde|quando|sera que|o que)\b
\b(?:e se|que tal|me diga|explique|explica|o que acha)\b
""",
    "supposes": r"""
\bse\b(?!,)|\b(?:caso|talvez|provavelmente|possivelmente|pode ser(?!,)|poderia|poderiamos|deveria|deveriamos|seria
    |imagine|suponha|quem sabe|acho que)\b
""",
    "reports": r"""
\b(?:diz|dizem|dizendo|escreva|explique|artigo|exemplo|ele|ela|eles|elas|acha|mensagem de commit
    |crie|cria|adicione|implemente)\b
""",
    "passes": r"""
^(?:e |entao )?agora,? (?!nos\b|a gente\b)
\b(?:por enquanto|por ora|neste momento|so desta vez|desta vez|so para (?:ver|testar)|temporari\w+|provisori\w+
    |de novo)\b
\bpara (?:ver|achar|encontrar|checar|verificar|entender|depurar)\b
\b(?:ainda|primeiro|hoje|depois)[.!]?$
""",
    "mocks": r"""
\b(?:kkk+|rsrs+|ha(?:ha)+|so que nao)\b
, que (?:otima|bela|boa|grande|linda) ideia[.!]*$
""",
    "processes": r"""
^(?:que )?(?:rodar|olhar|ver|verificar|ler|comecar|tentar|continuar|esperar|abrir|testar|executar|procurar|parar)\b
""",
    "negates": r"""
\b(?:nao|nunca|ninguem|nem|sem)(?: \w+){0,2} ?$
""",
    "confirms": r"""
^(?:sim|isso|isso mesmo|exato|exatamente|correto|certo|perfeito|e isso)\b
""",
    "refuses": r"""
^(?:nao|espera|espere|para|pare|desfaz|desfaca|na verdade|errado)\b
""",
    "empty": r"""
^(?: |,)*(?:isso|isto|esse|essa|este|esta|ele|ela|o (?:primeiro|segundo|ultimo|outro|mesmo)|a (?:primeira|segunda
    |ultima|outra|mesma)|opcao \w+)(?: \w+)?[ .!,]*$
""",
    "opens": r"""
^(?:(?:ok|sim|nao(?=,)|certo|combinado|entao|bom|bem|e|mas|tambem|agora|por favor|ah|oh|hm+|cara|beleza|otimo|perfeito
    |obrigad[oa]
    |desculpa|na verdade)(?:[ ,.!:;-]+|$))+
""",
    "acknowledges": r"""
(?:sim|nao|ok|certo|beleza|obrigad[oa]|otimo|perfeito|legal|feito|pode|continua|continue|segue|pode ir|manda ver
    |isso|isso mesmo|exato|faz sentido|combinado)(?: por favor)?
""",
    "tells": r"""
nao (?:se |te )?(?:preocup\w+|precisa|tem problema|faz mal|importa)\b
(?:eu )?sempre (?:me )?esquec\w+
(?:eu )?(?:ja )?(?:rodei|testei|vi|fiz|instalei|tentei|recebi|adicionei|mudei|apaguei|executei|percebi)\b
(?:funcionou|deu certo|nao funcionou|continua|ainda|mesmo erro|aqui esta|olha)\b
""",
    "orders": r"""
nao (?:se )?esquec\w+ de\b
vamos (?:ver|comecar|adicionar|por partes|testar|fazer|seguir)\b
(?:combinado|beleza)[, ]+pode\b
(?:vamos|pode|podes|voce pode|agora|so|por favor)?[ ,]*(?:mostr[ae]r?|olh[ae]r?|verifi(?:ca|que)r?|procur[ae]r?
    |encontr[ae]r?|rod[ae]r?|execut[ae]r?|le[ir]a?|expli(?:ca|que)r?|investig(?:a|ue)r?
    |revis[ae]r?|continu[ae]r?|corrig[aei]r?|arrum[ae]r?|implement[ae]r?|tent[ae]r?|test[ae]r?|abr[aei]r?
    |list[ae]r?|esper[ae]r?|desfa[zc]er?|refa[zc]er?|faz|faca|fazer|comit[ae]r?|analis[ae]r?
    |compar[ae]r?|cri[ae]r? (?:um|uma|o|a)|gere|gerar|ger[ae]|pens[ae]r?|sug(?:ere|ira)|desenh[ae]r?|resum[aei]r?)\b
""",
    "wishes": r"""
\b(?:sempre|nunca|jamais|daqui para a frente|daqui em diante|a partir de agora|toda vez|por padrao|no futuro)\b
\b(?:pergunt[ae]|pede|peca)(?: primeiro| antes|-me)\b
""",
    "warns": r"""
\b(?:cuidado|atencao|fica atento|nao (?:se )?esquec\w+|lembr[ae](?:-se)? (?:que|de)|tenha em mente|certifi(?:que
    |ca)(?:-se|-te)?)\b
""",
    "binds": r"""
\b(?:dev[ei]\w*|precis\w+|tem que|tem de|quer\w*|nao|nunca|sempre|so|somente|apenas|em vez|prefir\w*|vamos
    |us[ae]\w*|mant\w+|fica\w*|remov\w+|tir[ae]\w*|renome\w+|mov[ae]\w*
    |melhor|padrao|porque|pois|senao|convencao|regra|decid\w+|combinad\w+|coloc\w+|deix\w+)\b
""",
    "doubts": r"""
\b(?:talvez|quem sabe|nao sei|nao (?:tenho|tem) certeza|nao decid\w+|algum dia|um dia|acho que dev\w+|imagina
    |imagine|suponha|sera que|a pensar|pensando)\b
^se (?:a gente |nos )?(?:decid\w+|escolh\w+|quis\w+|for\w*)\b
^(?:ele|ela|eles|elas|meu|minha|alguem)\b
""",
    "picks": r"""
\b(?:vou|irei) (?:usar|utilizar|adotar|escolher|ficar com|manter)\b
\b(?:eu )?(?:escolhi|optei por|selecionei|fiquei com|adotei)\b
\b(?:nos )?(?:escolhemos|optamos por|ficamos com)\b(?=.{2,80}\b(?:em vez|porque|pois|ja que|no lugar)\b)
^(?:ok,? |entao )?vamos (?:usar|adotar|escolher|ficar com)\b
""",
    "explains": r"""
\b(?:o|um) (?:problema|erro|bug|culpado) (?:aqui )?(?:e|esta|era|foi|vem)\b|\ba causa(?: raiz)?(?: \w+)? (?:e|era
    |foi)\b
\b(?:falha|falhava|quebra|quebrava) (?:\S+ ){0,6}(?:porque|pois)\b
""",
    "mends": r"""
^(?:ja )?(?:corrigi|corrigido|resolvi|resolvido|consertei|consertado|arrumei|arrumado|ajustei)\b
\ba (?:correcao|solucao) (?:e|era|foi)\b
""",
    "reproaches": r"""
^por ?que (?:voce )?(?:nao )?\w+(?:ou|eu|iu|ste)\b
\b(?:voce )?(?:esqueceu|fez|usou|mudou) de novo\b
""",
}

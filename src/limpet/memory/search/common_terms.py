"""Terms that are common anywhere, however rare they are in a store: what two texts share by them is chance.

Separate from ``gate``, because it is data: ``bench/common_terms.py`` makes it of what others wrote.
"""

from __future__ import annotations

_TEXT = """
able absolut abstract acept aceptanci aces achiev acion acord act activ activit actual add aditional admir adopcion
adorabl adres adventur advic afecion age agenci ago agree algoritm alias aliv allow alon along alreadi amaz angl animal
anyon apend aplic appea appli apreci apropri arbitrari archiv area arg argument around art asert asign ask asoci assum
atempt atmosfer atribut automatic availabl avoid awarenes away awesom back background backward bad bake balanci bar base
basic basketbal beach beauti beautiful becom begin behavior belief believ best bet beter big binari bind bit biz blank
blast bless block board bodi bond book boolean boost bound box brand break breakpoint bright bring browsa buddi bufer
build builtin busi busines buton byte cach calabl calback calcul caler call calm camp cancel canvas captur care career
case catch caus celebr cha chaleng chanc chang charact charit charset chase chat check checka cheer cherish child
childhood chill chocol choos chunk church citi class clea click client close closer cloth coconut code codec colabor
colecion color column comand comandlin coment comfi comfort comit comon compani compar comparison compasion compatibilit
compil complet component compresion comput comunit condicion conecion confidenci config configur consid consist constant
construct constructor contain container content context continu control conversion convert cook cooki cool coordin copi
corecion corespond coroutin counsel count countri courag court coverag crazi creacion cream creat creativ creativit
crucial cultur curent cursor custom customer cute dairi dairyfr danc dancer data databas date datetim day deal debug
debugg decid decimal decod decorator dedic def default defin definit delay delet delicious depend deprec deriv describ
descripcion descriptor design dessert detail determin develop dialog dict dictionari diferenci diferent digit diner
direcion directori disabl discov display distribucion distutil doc docstr doctest document dog domain dot doubt draw
dream drive easi editor educ efecion efort eg element email emocion emotional empti enabl encod encourag encouragement
end endorsement energi enjoy enough ensur enter entir entri environ equal equivalent error escap esential especial etc
event everyon everyt exact exampl exc excepcion except excit execucion execut executabl exist exit expand expecion
experienci explicit explor exponent expres expresion extend extension extr extract eye face factori fail failur faith
fals fam famili fan fantasi far fashion fave favorit fd featur feedback feel felt festival field fight figur file
filelik filenam fill film filter final find finder finish fire fit flag flavor float focus folk folow font foo food
forget form format forward frame free freedom friend friendship fulfil full fun func funcion futur gain game gave
gencodec gencodecpi gener general generator generic getting given gives giving glad global goal gonna good gorgeous
gotta grateful great group grow growt gut guy hand handl hang hapen hapines happi hard hash hea head header healt heart
heartwarm height help helper helpful high highlight hike hit hobbi hold home homeles hope hopeful host hous html http
huge huh ice id idea identifi ie ignor imag imagin imediat impact implement import importanci important improv
improvement includ incredibl indent index indic info inform infrastructur init initial initializ injuri input insert
inspir instal instanci instanti int integ intend intens interest interfac internal interpret invalidu investor invit
invok involv io issu item iterabl iterator job join journey joy keen keeps key keyword kid kind kinda kindnes know kwarg
label lateli later laugh lead learn left len lengt level librari life light liked limit line linen link list literal
littl live load loader locacion local locale lock log logger long look loop lose loss lot love luck lucki magical
mailbox main making manag map mark market master match mater maximum mayb meal meaning meaningful meet member memori
mencion mental mentor menu mesag metadat metod militari milk mind miss mix mock mode modifi modul moment money month
motiv mountain mous move movi msg multipl music name namespac natur necesari needed negativ neighborhood nest network
newlin news nice night node non normal note notic novel number numeric obj objecion occur offer ofset ok okay old omit
ones onlin opcion open oper operand oportunit optimistic optional order organiz original oterwiz others ourselv outlet
output overid overwhelm packag page paint pair param paramet parent park pars parser part particul pasion pass pasword
patch patern path patnam pay peac peaceful peopl perfecion perform personal perspectiv pet photo pic pick pickla pictur
piec pipe place plan platform play player point polici politic port pose posibl posicion positiv positivit post
potential poteri power powerful practic prefix present preti previous priceles pride print printabl problem proces
produc program progres projecion prompt proper properti protocol proud provid proxi public pump pursu push put py pyton
queri queu quit quot rais random rang raw reach read readabl readi readlin real realit realiz receiv recent recip
recomend record recursiv referenci refresh regist registri regul relationship relativ relax releas reli relief remain
rememb remind remov replac report repr represent request requir research reserv reset resilienci resilient resourc
respons result return reward ride right risk road rock room root rough round routin run runtim sad safe said sampl
satisfi save saw scari scheme school screen screenplay script search season secion second seeing seem seen selecion self
send sens separ separator sequenci seri serv server setback seting sets setup several shape share shell shelta shine
shoe shot showed showing shows side sign signal signatur simil simpl singl size skill skip small smile socket someon
somet sometim song soon sorri sort soul sound sourc space speak spec special specifi spend split sport spot spread stack
stand standard start state statement status stay stder stdout step stick stoke stop store stori str stream strengt stres
strict string strip strong structur struggl student studi stuff stun style sub subclas subproces suceed suces sucesful
suggescion suit suitabl sumer sunset super supli suport suportiv sure suround sweet sy symbol syntax syspat system tab
tabl tackla tag takefocus taken taking talent talk tankful target task teach team teama temporari termin test text thank
theme think though time timeout tip titl tk toget token tomorow ton took top total touch tough tourna toward trace
traceback track trail train tran transgend transicion transport travel tread treat tree tri tril trip troughout true
truli trust try tupl turn turtl typ type underlying understand unic unit updat uplift url usag useful user usual validu
valu var variabl various version veteran via vibe video view virtual visit voluntee wait walk want warn watch ways week
weekend welcom whitespac widget width wild win window wish wonderful word work workout world worri worth wrap wrapa
write yea yeah yesterday yield yoga young yourself yummi zero
"""
COMMON_TERMS = frozenset(_TEXT.split())

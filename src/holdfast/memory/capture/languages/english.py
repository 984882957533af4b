"""English cues, matched in lower case without accents; ``cues`` tells what each name means.

A line is one alternative; an indented one continues the line before."""

CUES = {
    "decides": r"""
let(?:'s| us) (?:just |all |all just )?(?:use|go with|go for|adopt|switch(?: over)? to|move to|migrate to
    |stick (?:with|to)|keep (?:the|our|using|both)|standardi[sz]e on|settle on|pick|choose|drop|stay (?:with|on))\b
we(?:'ll| will| are going to|'re going to) (?:be )?(?:us(?:e|ing)|go(?:ing)? with|adopt|switch to|move to
    |stick (?:with|to)|keep (?:the|our|using|both)|standardi[sz]e on|stay (?:with|on)|drop)\b
we(?:'re| are) (?:going with|switching to|moving to|sticking (?:with|to)|dropping|using|doing|keeping
    |standardi[sz]ing on|adopting|staying (?:with|on))\b
^(?:ok(?:ay)?|yes|yeah|sure|fine|great|perfect|right|good)?[,.]? ?(?:then )?(?:go with|i'll go with|i choose|i pick
    |i'd go with)\b
(?:^|[,:] )(?:from now on|from here on|going forward),?
^(?:(?:ok|okay|alright|fine|then|so|good|great),? )*(?!what|how|that|this|as\b|yes
    |no\b)(?=[\w+#./-]+(?: [\w+#./-]+)? it is(?:[.!,;]|$| then))
\bi(?:'d like| want|'d want) us to (?:use|go with|adopt|switch to|stick (?:with|to)|keep)\b
\bfrom (?:now|here) on[.!]?$
\bwe(?:'re| are) (?:not going to|no longer) (?:use|us|support|ship|keep|maintain|build)(?:ing)?\b
\bwe (?:won't|will not|will no longer|no longer) (?:use|support|ship|keep|maintain)\b
\bwe(?:'re| are) (?:moving|migrating|switching) (?:everything|all \w+(?: \w+)?) to\b
^(?:ok(?:ay)?,? )?agreed[,:] (?=.*\b(?:everywhere|always|never|only|instead)\b)
""",
    "decided": r"""
\b(?:i|we|the team|everyone)(?:'ve| have| has|'s)? (?:all |finally |now )?(?:decided|agreed|settled|opted|chose
    |chosen|went with|standardi[sz]ed on)\b
\b(?:it(?:'s| is| was)|has been) (?:now |been )?(?:decided|agreed|settled)\b
^(?:final )?decision ?:
\b(?:the team|legal|product|security|management)(?: has)? (?:approved|signed off on)\b
\b(?:i'm|i am|we're|we are) going with\b
""",
    "jointly": r"\b(?:we|the team|everyone|has been)\b|\bit(?:'s| is| was)\b",
    "offers": r" or ",
    "answers": r"""
^(?:please )?(?:use|go with|pick|choose|take)\b
^(?:[^,]{1,20}, ?)?let(?:'s| us) do\b
""",
    "faults": r"""
^(?:no, )?(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not right|not correct|not true|a mistake
    |not what i \w+)\b
^(?:no, )?(?:you're|you are) (?:wrong|mistaken)\b
\byou got (?:it|that|this|the \w+) wrong\b
^wrong(?: \w+)?[:,.!]
^(?:hm+,? |no,? )?(?:not quite|not exactly|not like (?:that|this))\b
""",
    "corrects": r"""
^(?:no|nope|nah|no no)(?:[,.:;!]| -) (?=(?:please )?(?:use|don't|do not|it|that|the|this|these|we|put|keep|you
    |should|must|only|instead|there|our|my)\b)
^no(?:[,.:;!]| -) (?:as )?i (?:said|meant|want)\b
^(?:oh |hm+ |well )?actually,? (?!\w+ (?:looks?|works?|seems?|sounds?|feels?)|(?:that|it|this)(?:'s| is) (?:great
    |fine|good|ok|perfect|nice|better))(?:the|we|it|this|that|our|there|in|don't|use|i (?:want|meant|prefer)
    |you (?:should|must|need))\b
^(?:as )?i (?:already )?(?:said|told you|asked you|meant)\b
^(?:(?:no|nope|ok|okay|hm+|oh|well|actually),? ){0,2}(?:please |let's )?(?:make|set|change|raise|lower|turn)
     (?:it|that|this|them)(?: to| at)? \d[\w.,]* (?!instead)[a-z](?=.*\binstead\b)
^(?:please )?(?:do not|don't) (?:ever )?(?:use|add|put|import|mock|hard-?code|introduce|mix|throw|store|expose|log
    |write|create|wrap|return|touch|change|modify|edit|rename|commit|push|rewrite|refactor|install|call|assume|guess
    |invent
    |repeat|catch)\b
^(?:please )?(?:stop|avoid|quit) (?:using|adding|putting|writing|mocking|creating|importing|wrapping|committing
    |touching
    |changing|editing|renaming|removing|deleting|rewriting|refactoring|asking|apologi[sz]ing|repeating|generating
    |inventing
    |guessing|assuming|hard-?coding|catching|returning|throwing|logging|installing|formatting|summari[sz]ing)\b
^(?:please )?(?:don't|do not) \w+ .{2,60}[,;] (?:only|just) \S+
^instead of \S+(?: \S+)?,? (?:please )?(?:use|let's use|put|write)\b
\byou keep \w+ing\b(?! up\b)(?: \w+)?
^you (?:must|should|need to|have to) (?:always|never|not)\b
^(?:yes|yeah|yep|ok(?:ay)?|sure|good|fine|great|perfect|looks good)[,.]? but (?:please )?(?:use|with(?:out)?|keep|put
    |don't|do not|instead)\b
\bi(?:'d| would)? (?:much )?(?:prefer|rather)\b
\byou (?:should(?: have|'ve)|were supposed to|ought to have)\b
\bthe (?:correct|right|proper) (?:way|approach|answer|file|command|name|path|place|branch) (?:is|was)\b
^(?:please )?use \S.{0,80}(?:instead of|rather than|, not|and not)\b
^(?!(?:hm+|well|sorry|no|nah|oh|ok|yeah)\b[^,]{0,3},).*(?:,| and) not (?!just\b|only\b|sure\b|yet\b|really\b
    |necessarily\b|always\b)(?:\S+ ){0,3}\S+$
^(?:it's|it is|that's) not (?!that\b)\S.{0,50}[,;:] (?!but\b)
\byou (?:keep|kept|are still|'re still) \w+ing\b
\bit should (?:be|have been)\b
^(?:again|once more|as before)(?::|,(?!\s(?:but|and|with|without|using|on|in|for|from|only|please|this)\b))\s
""",
    "errs": r"""
\b(?:see|sees|seeing|get|gets|getting|got|throws?) (?:an? |the )?xx .{2,}
\b(?:fails?|failed|crash(?:es|ed)?|(?<!take )(?<!taking )(?<!with )breaks?|broke|hangs?(?! (?:out|with|on))|throws?
    |dies|errors? out|times? out|timed out|chokes?|is broken|(?:does|do|did)n't (?:work|compile|build|start)
    |won't (?:work|compile|build|start))\b.{1,120}\b(?:with|when|whenever|because|if|as soon as|after|unless
    |every time|under)\b
\b(?:fails?|failed|crash(?:es|ed)?|dies) (?:with|when|whenever|because|if|as soon as|after|unless|every time
    |under)\b
\b(?:runs|ran|running) out of (?:memory|space|connections|file descriptors)\b.{0,60}\b(?:on|in|when|unless|if|with
    |after)\b
^(?:every|each) time (?!you\b)\S.{4,120}\b(?:not|fails?|breaks?|crash(?:es)?|errors?|hangs?|loses?|stale|timeouts?)\b
\b(?:get|gets|getting|got|see|seeing|hit|hitting|have|there's|there is)\b.{1,60}\b(?:error|exception|failure|timeout
    |crash|segfault|panic|deadlock)s?\b.{0,60}\b(?:when|whenever|because|if|as soon as|after|unless|every time|on|in
    |from)\b
""",
    "resolves": r"""
\bmanaged to (?:fix|solve|resolve)(?: \S+){0,3}? by \w+ing\b
\bthe (?:fix|solution|trick|remedy) (?:was|turned out)\b
^(?:i )?(?:fixed|solved|resolved) (?:it|this|the \w+(?: \w+)?): (?!have|take|see|look|check|please|try|you\b)\S.{9,}
\b(?:fixed|solved|resolved|cured)(?: \S+){0,5}? by (?:the )?\w+ing\b
^(?!trying|going|getting|looking|waiting|hoping)\w+ing\b.{3,160}\b(?:(?:solved|fixed|resolved|cured) (?:the|this
    |that|it|our|my)|(?:is|are) (?:solved|fixed|resolved|gone))\b
\b(?:is|are) (?:gone|solved|resolved|fixed)(?:[:;,]| because| since| now that)
""",
    "causes": r"""
\b(?:the )?root cause was\b
\b(?:the )?(?:real |actual )?(?:problem|issue|cause|culprit|bug) (?:was|turned out to be)\b
\b(?:was|were) caused by\b
""",
    "describes": r"""
\bfollow(?:ed|ing|s)? (?:that|the same|this|the existing|your) (?:convention|pattern|style)\b
\b(?:this|our|the) (?:project|repo|repository|codebase|code base|team|app|monorepo)(?:'s \w+)? (?:always|never|only
    |already)? ?(?:uses?|keeps?|follows?|stores?|puts?|names?|expects?|requires?|relies on|has all|has its)\b
\b(?:in|across) (?:this|our) (?:project|repo|repository|codebase|code base|app|monorepo),? (?:we|all|every|you
    |always|never|use|the)\b
\b(?:in|of|across) (?:this|our) (?:project|repo|repository|codebase|code base|monorepo) (?:all )?(?:uses?|keeps?
    |follows?|lives?|are|is|go|goes)\b
\b(?:our|the) (?:project'?s? |team'?s? |naming |coding )?(?:convention|rule|policy|standard) (?:here )?is\b
""",
    "holds": r"""
^(?:please |remember: |and |so )?(?:always|never) (?!mind\b|again\b|here\b|up\b|good\b|happy\b|been\b|had\b|saw\b
    |seen\b|thought\b|knew\b|heard\b|\w+ing\b|a \w+ moment\b)\w+
\bwe (?:always|never) (?:use|run|write|name|put|keep|throw|return|mock|deploy|commit|merge|push|test|log|store|call
    |import|add|create|validate|check|review|squash|rebase|format|lint|document)\b
\b(?:always|never)\b.{3,}\b(?:in|for|across) (?:this|our|the) (?:project|repo|repository|codebase|code base
    |monorepo)\b
^(?:all|every|each|no) \S.{1,60}\b(?:must|has to|have to|needs? to|shall|should|may not)\b
^(?:all|every|each) \w+ \w.{0,80}, (?:it |they )?(?:never|always)\b
^(?:please )?(?:remember|keep in mind|bear in mind|note)(?: that|:)
^(?:here,? )?we (?:use|name|call|store|keep|write|format|deploy|version|log|tag)\b
""",
    "asks": r"""
^(?:so |and |but |ok,? |please |hey,? )?(?:should|shall|could|can|may|would|will|is|are|do(?! not\b)|does|did|has
    |have|what|which|why|how|who|where|when|any idea)\b(?! (?:is |was )?(?:decided|agreed))
\b(?:what if|how about|what about|wondering|tell me|explain|do you)\b
""",
    "supposes": r"""
\b(?:if|unless|whether|maybe|perhaps|probably|possibly|might|may|could|would|should|suppose|supposing|imagine
    |considering|thinking|not sure|consider|wonder|either|in case|i guess)\b
""",
    "reports": r"""
\b(?:says?|saying|write|writes|wrote|explain|pretend|example|thinks?|thought|believes?|article|blog|readme
    |documentation|commit message|create|add|implement|make it|summari[sz]e|describe|translate|where|he|she|they)\b
""",
    "passes": r"""
^(?:ok,? |and |then )?now,? (?!we\b)
\b(?:right now|for now|for the moment|for the time being|this time|just once|only once|one more time|as a test
    |temporar\w+)\b
\bjust (?:this once|to (?:see|try|test|check))\b
\b(?:this|that) (?:test|time|file|once|one) only\b
\bonly (?:this|for this)\b
\byet[,.!]
\b(?:yet|first|again|today|later|for a (?:moment|minute|second))[.!]?$
\bto (?:find|see|check|look|debug|search|understand|figure|inspect|have a look)\b
""",
    "mocks": r"""
\b(?:lol|lmao|rofl|ha(?:ha)+|yeah right|what could (?:possibly )?go wrong|while we're at it)\b
, (?:what a )?(?:great|brilliant|genius|lovely) idea[.!]*$
""",
    "processes": r"""
^(?:to |that )?(?:this (?:opportunity|chance|time|moment)|the (?:opportunity|chance|time)|nothing|first|great|well
    |fine|run|re-?run|look|check|read|start|begin|try|skip|inspect|investigate|search|continue|wait|open|explore|see
    |stop|go|going|it|looking|working|trying|ask|test|proceed|leave it)\b
""",
    "negates": r"""
(?:n't|\bnot|\bnever|\bno one|\bnobody|\bneither|\bwithout)(?: \w+){0,2} ?$
""",
    "confirms": r"""
^(?:perfect|great|good),? (?:yes|exactly|right|that's right)\b
^(?:yes|yeah|yep|yup|right|correct|exactly|indeed|true|that's right|that is right|it does|precisely)\b
""",
    "refuses": r"""
^(?:no|nope|nah|wait|hold on|stop|undo|revert|don't|do not|actually|wrong)\b
""",
    "empty": r"""
^(?: |,)*(?:that|it|this|these|those|them|so|anything|your|what you|whatever|either|option \w+|number \w+
    |the (?:first|second
    |third|last|latter|former|other|same)(?: \w+)?|plan \w+)(?: (?:one|option|then|too|for it|please))?[ .!,]*$
""",
    "opens": r"""
^(?:(?:ok(?:ay)?|k|no(?=,)|mm+k|yes|yeah|yep|yup|yea|sure|right|so|well|and|but|also|then|now|please|oh|ah|hm+|um+
    |uh+|hey
    |dude|man|buddy
    |alright|agreed|great|good|perfect|fine|cool|nice|thanks|thank you|sorry|actually|in that case|btw
    |fyi)(?:[ ,.!:;\u2026-]+|$))+
""",
    "acknowledges": r"""
(?:yes|yup|yep|no|nope|ok(?:ay)?|sure|thanks?|thank you|great|good|perfect|nice|cool|done|proceed|continue|go on
    |go ahead|go for it|do it
    |do that|both|all(?: of them)?|agreed|right|correct|exactly|sounds good|looks good|lgtm|makes sense|fair enough
    |got it
    |never ?mind|my bad|ah true|true|that works|works|love it|ship it)(?: (?:please|now|then|and do (?:it|that)
    |thanks))?
(?:it|that|this|they|those|these|all)(?:'s| is| was| are|'re| were| all)? (?:fine|ok(?:ay)?|good|great|perfect
    |right|correct|true|better
    |works?|worked|nice|cool|it|gnarly|weird|odd|interesting|bad|no good)(?: (?:now|then|to me|for me|by me|with me
    |great|fine|well))?
""",
    "tells": r"""
(?:nm|nvm|never ?mind)\b
(?:no,? )?you (?:sure |really |still )*(?:did(?:n't)?|have(?:n't)?|are(?:n't)? still)\b
(?:\S+ ){0,4}(?:seems?|seemed) to (?:work|be working|pass)\b
(?:don't|do not) (?:worry|bother|care|mind|panic)\b
no,? (?:it|that|this)(?:'s| is| was) (?:fine|ok(?:ay)?|good|great|all right)\b
i (?:don't|do not|didn't) (?:like|love|see|get|follow|remember|agree)(?: \S+){0,7}$
no (?:problem|worries|rush|hurry|need|thanks|that(?:'s| is) (?:good|fine|ok|great))\b
(?:i |as i )?(?:meant|mean) the (?:other|first|second|last|one)(?: \w+)?[.!]?$
i (?:always|never|often|usually) (?!want|need|expect)
(?:all good|that's (?:fine|ok|good|it|all|great))\b
i(?:'ve| have|'m|'ll| just| also| already| still| only)* (?:got|get|see|saw|ran|run|tried|try|did|installed|added
    |pushed|committed
    |merged|deleted|removed|changed|made|checked|tested|restarted|rebuilt|updated|opened|noticed|found|asked|undid
    |undoing|moved
    |reverted|closed|created|cloned|set|fixed|was|wrote)\b
(?:it|that|this|everything|nothing|still|same|the (?:tests?|build|linter?|ci))(?: still| also| all| now
    | just)? (?:works?|worked|passe[sd]|fail(?:s|ed)?|did(?:n't)?|does(?:n't)?|is(?:n't)? work
    |broke|crash(?:es|ed)|seems?|looks?|says?|happened|(?:is |was |are )?(?:not working|failing|broken|running
    |missing|gone))\b
(?:here(?:'s| is| are)|there(?:'s| is| are| was)|see|got|getting|still (?:no|not|the|getting|there)|same (?:error
    |problem|issue|thing)|no luck|look(?:s)? like
    |something (?:odd|weird|strange|is wrong|went wrong)|you (?:lost|got|did|didn't|forgot|missed
    |have directions))\b(?!.*\bshould\b)
""",
    "orders": r"""
(?:your (?:task|job|goal) is|you are) to\b
(?:don't|do not|no) .{2,80} (?:yet|first|for now|right now)\b
don't forget to\b
in the (?:first|second|third|last|next) (?:paragraph|section|line|sentence)\b
we (?:won't|don't) need (?:this|that|it|them|these)\b
(?:next|step \d+|then|first)[:,] .*
(?:let'?s )?(?:hear|keep going|call it|move on|get (?:going|started|back)|use this (?:opportunity|chance)
    |go with you|begin)\b
(?:let'?s |please |also |now |and )*(?:add|write|create) (?:an?|another|some|the|more)? ?(?:\w+ )?(?:tests?|section
    |comment|line|option|case|log|button|page|file|function|class|method|endpoint)\b(?!.*\b(?:don't|only|instead
    |should|must)\b)
(?:say|translate|rename|imagine|pretend|use (?:the (?:other|second|first|last)|plan mode|a (?:table|list|shorter
    |longer)))\b
(?:(?:that|instead of|rather than) .{3,80}, )?(?:let'?s|let us|can you|could you|would you|will you
    |i(?:'d)? (?:like|want|need) you to|we need to|you (?:can|may|need to)|go ahead and|try to|just|now|first|next
    |quickly|again)?[ ,]*(?:show|look|check|find|run|rerun|re-run|tell|read|reread|explain|describe|investigate
    |review|continue|proceed|commit|push|merge|rebase|try|retry|test it|open|see|list|give|search|clone|start
    |stop here|wait|undo|redo|revert|address|fix|finish|do|implement|restart|rebuild|build|install|uninstall
    |download|analy[sz]e|examine|inspect|compare|summari[sz]e|verify|confirm|debug|diagnose|dig|figure|think
    |consider|discuss|talk|propose|suggest|draft|plan|design|audit|scan|grep|print|paste|copy|ask|answer|repeat
    |resume|hold on|go (?:on|back|ahead|through)|take (?:a|another) look|have (?:a|another) look|help|walk
    |refactor (?:it|this|that)|rewrite (?:it|this|that)|delete (?:it|them|that|this)|remove (?:it|them|that|this)
    |make (?:that|the|this|those|these) (?:change|fix|edit)s?|update (?:the )?(?:readme|docs?|changelog|tests?|plan
    |pr|description)|write (?:the|a|some|me)|create (?:a|the|an)|generate|execute|evaluate|apply|handle (?:it|this
    |that)|get|pull|fetch|deploy|release|bump|lint|format)\b
your (?:task|job|goal) is\b
""",
    "wishes": r"""
\b(?:always|never|from (?:now|here) on|going forward|in (?:the )?future|don't ever
    |no matter what|by default)\b
\bi (?:want|need|expect|would like|'d like) you to (?:always|never|not|stop|ask|wait|keep|use|make sure)\b
\bask (?:me|first|before)\b|\b(?:without|before) asking\b
""",
    "warns": r"""
\b(?:careful|beware|watch out|be aware|heads up|warning|keep in mind|bear in mind|remember (?:that|to)
    |mind that
    |make sure|note that|important)\b
""",
    "binds": r"""
\b(?:we|it|they|this|that|there)(?:'ll| will)\b
\b(?:should(?:n't)?|must(?:n't)?|need(?:s|n't)?|has to|have to|ought|want(?:s)?|don't|do not|doesn't|aren't|isn't
    |won't|can't|cannot|shouldn't|not|never|always|only|instead|rather|prefer(?:s|red)?|let's|use|uses|using
    |keep|keeps|stick|stay|stays|drop|remove|move|belongs?|responsib\w+|better|best|default|everywhere|every|each
    |whole|because|cause|since|so that|otherwise|make sure|convention|pattern|rule|decided|decision|agreed|plan
    |you are to|you're to|point of|goal|meant|supposed|intended|allow(?:ed|s)?|require[sd]?|match(?:es)?|follow
    |same as|make sure|fall back|fallback)\b
""",
    "doubts": r"""
\b(?:we|you|i) could\b
\b(?:maybe|perhaps|might|not sure|don't know|haven't (?:decided|thought)|(?:do not|don't) understand|unclear
    |not clear|decided nothing|at some point|some ?day
    |one day|i wish|imagine|let's say|suppose|supposing|(?:he|she|they|who|\w+gue|boss|team|client) (?:thinks?
    |thought|believes?)|i (?:doubt|wonder|guess)|no idea|undecided)\b
^(?:if|in case) (?:we|i|they) (?:decide|choose|want|were|ever|go|went)\b
^(?:he|she|someone|somebody|people|in general|my \w+ (?:thinks?|says?|wants?|said)|the (?:previous
    |old) \w+ (?:decided|used|chose|wrote))\b
\bwould (?:like to know|be (?:curious|interested))\b
""",
    "picks": r"""
\bi(?:'ll| will|'m going to| am going to) (?:go with|use|pick|choose|adopt|stick with|opt for
    |keep)\b(?! the (?:first|second|next|last|same|other)\b)(?!.* (?:for|to do) (?:that|this|it)[.!]?$)
\bi(?:'ve| have)? (?:picked|chose|chosen|selected|went with|opted for|settled on|kept|stuck with)\b
\bwe (?:chose|picked|selected|went with|opted for|settled on|kept)\b(?=.{2,80}\b(?:over|instead of|rather than
    |because|since|so that)\b)
^(?:ok(?:ay)?,? |so |then )?let(?:'s| us) (?:use|go with|pick|choose|adopt|stick with|standardi[sz]e on)\b
""",
    "explains": r"""
\b(?:the|this|a) (?:real |actual |root |underlying |main |core |whole |key )*(?:issue|problem|cause|bug|culprit
    |reason|catch|mismatch) (?:here |there )?(?:is|was|turned out|seems to be|comes? from|came from)\b
\broot cause\b
\b(?:it )?turns out\b|\bturned out (?:that|to be)\b
\b(?:this|it|that)(?:'s| is| was) (?:because|caused by|due to)\b
\b(?:fails?|failed|breaks?|broke|crash\w*|ignored|skipped|dropped|missing|missed|rejects?|rejected
    |empty) (?:\S+ ){0,6}(?:because|since|as)\b
""",
    "mends": r"""
^(?:i(?:'ve| have)? |all |it's |is )?(?:now )?(?:fixed|resolved|solved|corrected|patched|addressed)\b
\b(?:the|a|my) (?:real |actual |proper |right )?(?:fix|solution|remedy|workaround) (?:here )?(?:is|was)\b
^(?:fixed|updated|changed|switched|replaced|moved|reverted)\b.{12,}
\bi(?:'ve| have)? (?:fixed|corrected|resolved|changed|switched|replaced|updated|moved|removed)\b
\b(?:now|this) (?:works|passes|uses|matches|returns|handles|checks)\b
""",
    "reproaches": r"""
^why (?:did|didn't|are|aren't|do|don't|would|have|haven't) you\b
^you(?:'re| are| keep| still)? .*\bagain\b
""",
}

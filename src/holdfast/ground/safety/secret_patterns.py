"""The key formats that redaction knows. Data, separate from the code that applies it: a new format is a new row.

A row is (kind, hints, pattern). A hint is a piece of text, in lower case, without which the pattern cannot match: it is
looked for first, so that a pattern is compiled only for a text that may hold its secret. A pattern has ASCII classes,
begins where no letter or digit stands before, and where it has a group only the group is the secret.

What keeps the patterns linear: behind an open-ended run nothing is asked for, or the run is possessive and cannot begin
within itself, or it is bounded. A run is taken to its end, so that no tail stays behind.
"""

from __future__ import annotations

Row = tuple[str, tuple[str, ...], str]

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
# A truncated block has no end: then its long lines are taken.
_PEM = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----)[\s\S])*+-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\[nrt])*+[A-Za-z0-9+/=]{40,}+)*+)"
)
_PUTTY = (
    r"Private-Lines: ?\d{1,4}\s{1,2}([A-Za-z0-9+/=]{16,}+(?:\s{1,2}[A-Za-z0-9+/=]{16,}+)*+"
    r"(?:\s{1,2}Private-MAC: ?[0-9a-f]{32,})?)"
)


def _named(name: str, value: str) -> str:
    """Return a value without a form of its own, told by the name that it is assigned to."""
    return rf"(?i:{name})[\w .-]{{0,30}}\\?[\"']?[ \t]{{0,8}}(?::=|=>|[:=])[ \t]{{0,8}}\\?[\"']?({value})(?![\w+/-])"


KEYS: tuple[Row, ...] = (
    ("private-key", ("private key",), _PEM),
    ("putty-key", ("private-lines",), _PUTTY),
    ("age-key", ("age-secret-key-",), r"AGE-SECRET-KEY-1[0-9A-Za-z]{50,}"),
    (
        "pgp-passphrase-hash",
        ("$2", "$5$", "$6$", "$y$", "$apr1$", "$argon2"),
        r"\$(?:2[abxy]|5|6|y|apr1|argon2id?)\$[\w./$=,+-]{20,}",
    ),
)

CLOUDS: tuple[Row, ...] = (
    ("aws-key", ("akia", "asia", "abia", "acca"), r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("aws-secret", ("aws", "secret_access", "secretaccess"), _named("aws|secret_?access", r"[A-Za-z0-9/+]{40}")),
    ("aws-session-token", ("session_token", "sessiontoken"), _named("session_?token", r"[A-Za-z0-9/+]{100,}+={0,2}")),
    ("aws-bedrock-key", ("absk",), r"ABSK[A-Za-z0-9+/]{100,}={0,2}"),
    ("google-key", ("aiza",), r"AIza[0-9A-Za-z_-]{35,}"),
    ("google-oauth", ("gocspx-", "ya29.", "1//0"), r"(?:GOCSPX-[\w-]{24,}|ya29\.[\w.-]{20,}|1//0[\w-]{30,})"),
    ("google-service-account", ("private_key_id",), _named("private_key_id", r"[0-9a-f]{40}")),
    (
        "azure-storage-key",
        ("accountkey", "sharedaccesskey"),
        r"(?i:(?:Account|SharedAccess)Key)=([A-Za-z0-9+/]{40,}={0,2})",
    ),
    ("azure-sas", ("sig=",), r"(?<=[?&;])sig=([A-Za-z0-9%+/=]{30,})"),
    ("azure-client-secret", ("q~",), r"(?<![\w~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,40}(?![\w~-])"),
    ("azure-devops-token", ("azdo",), r"[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])"),
    ("alibaba-key", ("ltai",), r"LTAI[A-Za-z0-9]{16,}"),
    ("tencent-key", ("akid",), r"AKID[A-Za-z0-9]{32,}"),
    (
        "cloudflare-key",
        ("cloudflare", "v1.0-", "cf_api", "cf-api"),
        (r"(?:v1\.0-[0-9a-f]{24}-[0-9a-f]{140,}|" + _named(r"cloudflare|cf[_-]?api", r"[\w-]{37,45}") + ")"),
    ),
    ("digitalocean-token", ("_v1_",), r"do[opr]_v1_[0-9a-f]{60,}"),
    ("heroku-key", ("heroku", "hrku-"), r"(?:HRKU-[\w-]{30,}|" + _named("heroku", _UUID) + ")"),
    (
        "vercel-token",
        ("vercel", "vcp_", "vci_", "vca_", "vcr_", "vck_"),
        (r"(?:vc[pciark]_[A-Za-z0-9]{24,}|" + _named("vercel", "[A-Za-z0-9]{24}") + ")"),
    ),
    ("netlify-token", ("nfp_", "nfc_", "nfo_", "nfu_", "nfb_"), r"nf[pcoub]_[A-Za-z0-9]{36,}"),
    ("render-key", ("rnd_",), r"rnd_[A-Za-z0-9]{28,}"),
    ("fly-token", ("fo1_", "fm1", "fm2"), r"(?:fo1_[\w-]{40,}|fm[12][ar]?_[A-Za-z0-9+/]{80,}={0,2})"),
    ("supabase-key", ("sbp_", "sb_secret_"), r"(?:sbp_[0-9a-f]{40,}|sb_secret_[\w-]{20,})"),
    ("planetscale-key", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,}"),
    ("databricks-token", ("dapi",), r"dapi[0-9a-f]{32}(?:-\d)?(?![0-9A-Za-z])"),
    ("terraform-token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}"),
    ("vault-token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[\w-]{24,}"),
    ("doppler-token", ("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}"),
    ("pulumi-token", ("pul-",), r"pul-[0-9a-f]{40,}"),
    ("tailscale-key", ("tskey-",), r"tskey-[a-z]{3,10}-[\w-]{16,}"),
)

CODE_HOSTS: tuple[Row, ...] = (
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9_]{30,}"),
    ("github-token", ("github_pat_",), r"github_pat_\w{40,}"),
    ("gitlab-token", ("gl",), r"gl(?:pat|ptt|rt|rtr|dt|soat|cbt|oas|ft|imt|agent|ffct|wt)-[\w.-]{20,}"),
    ("gitlab-token", ("gr1348941",), r"GR1348941[\w-]{20,}"),
    ("bitbucket-token", ("atbb", "bbdc-"), r"(?:ATBB[A-Za-z0-9]{28,}|BBDC-[A-Za-z0-9+/]{36,}={0,2})"),
    ("atlassian-token", ("atatt3", "atctt3"), r"AT[AC]TT3[\w=-]{60,}"),
    ("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36,}"),
    ("pypi-token", ("pypi-",), r"pypi-[A-Za-z0-9_-]{50,}"),
    ("rubygems-key", ("rubygems_",), r"rubygems_[0-9a-f]{48,}"),
    ("nuget-key", ("oy2",), r"oy2[a-z0-9]{43}(?![A-Za-z0-9])"),
    ("crates-token", ("cio",), r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("docker-token", ("dckr_",), r"dckr_[po]at_[\w-]{24,}"),
    ("artifactory-key", ("akcp",), r"AKCp[A-Za-z0-9]{60,}"),
    ("circleci-token", ("ccipat_", "cciprj_"), r"CCIP(?:AT|RJ)_[\w-]{30,}"),
    ("buildkite-token", ("bkua_",), r"bkua_[0-9a-f]{40,}"),
    ("sonar-token", ("squ_", "sqp_", "sqa_"), r"sq[upa]_[0-9a-f]{40,}"),
    ("sourcegraph-token", ("sgp_",), r"sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-f]{40,}"),
)

CHATS: tuple[Row, ...] = (
    ("slack-token", ("xox", "xapp-"), r"(?:xoxe\.)?xox[abceoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{20,}"),
    ("slack-webhook", ("hooks.slack.com/",), r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{20,})"),
    ("discord-webhook", ("/api/webhooks/",), r"discord(?:app)?\.com/api/webhooks/(\d{15,20}/[\w-]{40,})"),
    ("discord-token", (".",), r"[MNO][A-Za-z0-9]{23,27}\.[\w-]{6}\.[\w-]{27,}"),
    ("teams-webhook", ("webhook.office.com/",), r"webhook\.office\.com/(webhookb2/[\w@/-]{40,})"),
    ("telegram-token", (":a",), r"(?:bot(?=\d))?(\d{8,10}:A[\w-]{34})(?![\w-])"),
    ("twilio-key", ("sk",), r"SK[0-9a-f]{32}(?![0-9A-Za-z])"),
    ("twilio-key", ("twilio",), _named("twilio", "[0-9a-f]{32}")),
    ("sendgrid-key", ("sg.",), r"SG\.[\w-]{16,64}\.[\w-]{30,}"),
    ("mailgun-key", ("key-",), r"key-[0-9a-f]{32}(?![0-9A-Za-z])"),
    ("mailgun-key", ("-",), r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![0-9A-Za-z-])"),
    ("mailchimp-key", ("-us",), r"[0-9a-f]{32}-us\d{1,2}(?![0-9A-Za-z])"),
    ("brevo-key", ("xkeysib-",), r"xkeysib-[0-9a-f]{64}-\w{16,}"),
    ("resend-key", ("re_",), r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
)

PAYMENTS: tuple[Row, ...] = (
    ("stripe-key", ("k_live_", "k_test_"), r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("stripe-webhook-secret", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    ("square-token", ("sq0", "eaaa"), r"(?:sq0[a-z]{3}-[\w-]{22,}|EAAA[\w-]{56,})"),
    ("braintree-token", ("access_token$",), r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("paypal-secret", ("paypal",), _named("paypal", r"E[A-Z][\w-]{60,90}")),
    ("shopify-token", ("shp",), r"shp(?:at|ca|pa|ss|ua|tka)_[0-9a-fA-F]{32,}"),
    ("facebook-token", ("eaa",), r"EAA[A-Za-z0-9]{80,}"),
)

MODELS: tuple[Row, ...] = (
    ("anthropic-key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{16,}"),
    ("openai-key", ("sk-",), r"sk-(?:proj-|svcacct-|admin-|or-v1-)?(?=[A-Za-z_-]{0,200}\d)[A-Za-z0-9_-]{20,}"),
    ("huggingface-token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    ("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,}"),
    ("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{60,}"),
    ("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,}"),
    ("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{37,}"),
    ("langsmith-key", ("lsv2_",), r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,}"),
    ("nvidia-key", ("nvapi-",), r"nvapi-[\w-]{50,}"),
    ("pinecone-key", ("pcsk_",), r"pcsk_\w{40,}"),
    ("elevenlabs-key", ("sk_",), r"sk_[0-9a-f]{48}(?![0-9A-Za-z])"),
)

MONITORS: tuple[Row, ...] = (
    (
        "datadog-key",
        ("datadog", "dd_api", "dd_app", "dd-api", "dd-app"),
        _named("datadog|dd[_-](?:api|app)", r"[0-9a-f]{32}(?:[0-9a-f]{8})?"),
    ),
    (
        "newrelic-key",
        ("nrak-", "nrii-", "nrjs-", "nral"),
        r"(?:NR(?:AK|II|JS|IQ|RA)-[\w-]{19,}|[0-9a-f]{36}NRAL)(?![0-9A-Za-z])",
    ),
    ("sentry-dsn", ("sentry", "ingest"), r"https?://([0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{1,100}/\d"),
    ("sentry-token", ("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/_=-]{40,}"),
    ("grafana-token", ("glsa_", "glc_"), r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,}={0,2})"),
    ("dynatrace-token", ("dt0",), r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{60,}"),
)

PRODUCTS: tuple[Row, ...] = (
    ("linear-key", ("lin_",), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("notion-token", ("ntn_", "secret_"), r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9]))"),
    ("airtable-token", ("pat",), r"pat[A-Za-z0-9]{14}\.[0-9a-f]{60,}"),
    ("figma-token", ("figd_", "figdr_", "figo_", "figor_", "figu_"), r"fig(?:dr?|or?|u[rh]?)_[\w-]{36,}"),
    ("postman-key", ("pmak-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{30,}"),
    ("hubspot-token", ("pat-",), r"pat-(?:na|eu|ap)\d-" + _UUID),
    ("launchdarkly-key", ("sdk-", "api-"), r"(?:sdk|api)-" + _UUID),
    ("clickup-token", ("pk_",), r"pk_\d{4,12}_[A-Z0-9]{32}(?![A-Za-z0-9])"),
    ("dropbox-token", ("sl.",), r"sl\.(?:u\.)?[\w-]{100,}"),
    ("onepassword-token", ("ops_eyj",), r"ops_eyJ[\w+/=-]{100,}"),
    ("contentful-token", ("cfpat-",), r"CFPAT-[\w-]{40,}"),
)

TOKENS: tuple[Row, ...] = (
    ("jwt", ("eyj",), r"(?<![\w-])eyJ[\w-]{10,}+\.[\w-]{10,}+(?:\.[\w-]*+)*+"),
    (
        "netrc-password",
        ("machine ",),
        r"machine\s{1,4}\S{1,200}\s{1,8}login\s{1,4}\S{1,200}\s{1,8}password\s{1,4}(?!\[redacted:)(\S{3,200})",
    ),
    (
        "seed-phrase",
        ("mnemonic", "seed phrase", "recovery phrase"),
        (
            r"(?i:mnemonic|(?:seed|recovery) phrase)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?((?:[a-z]{3,8} ){11}(?:"
            r"(?:[a-z]{3,8} ){3}|(?:[a-z]{3,8} ){6}|(?:[a-z]{3,8} ){9}|(?:[a-z]{3,8} ){12})?[a-z]{3,8})"
        ),
    ),
)

ROWS = KEYS + CLOUDS + CODE_HOSTS + CHATS + PAYMENTS + MODELS + MONITORS + PRODUCTS + TOKENS

"""One made-up example and one near miss of each key format; none is written out, so that no scanner fires on them."""

from random import Random

HEX = "0123456789abcdef"
LOWER = "abcdefghijklmnopqrstuvwxyz"
UPPER = LOWER.upper()
DIGITS = "0123456789"
BASE62 = LOWER + UPPER + DIGITS
BASE64 = BASE62 + "+/"
UUID = "-".join(("3f2a91c7", "5b0e", "4d6a", "9c1f", "8e7d20b46a35"))


def drawn(alphabet: str, size: int, seed: int = 7) -> str:
    """Characters that look drawn, the same in every run, with a letter first and a digit within."""
    letters = [c for c in alphabet if c.isalpha()] or list(alphabet)
    random = Random(f"{alphabet}{size}{seed}")
    body = "".join(random.choice(alphabet) for _ in range(size - 2))
    return random.choice(letters) + body + ("7" if "7" in alphabet else body[:1])


def block(kind: str, lines: int = 4) -> str:
    """A PEM block of so many lines."""
    body = "\n".join(drawn(BASE64, 64, seed) for seed in range(lines))
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


def _h(size: int) -> str:
    return drawn(HEX, size)


def _a(size: int) -> str:
    return drawn(BASE62, size)


# kind, what stands before the secret, the secret, and a text that looks like it and is none
EXAMPLES: tuple[tuple[str, str, str, str], ...] = (
    ("private-key", "", block("RSA PRIVATE " + "KEY"), "-----BEGIN PUBLIC " + "KEY----- is what others may have"),
    ("private-key", "", block("OPENSSH PRIVATE " + "KEY"), "an OPENSSH PRIVATE " + "KEY is a file"),
    ("private-key", "", block("PRIVATE " + "KEY"), "-----BEGIN CERTIFICATE----- is public"),
    ("private-key", "", block("PGP PRIVATE " + "KEY BLOCK"), "-----BEGIN PGP SIGNATURE----- is public"),
    ("putty-key", "Private-" + "Lines: 2\n", _a(64) + "\n" + _a(64), "Private-" + "Lines: 2 of them"),
    ("age-key", "", "AGE-SECRET-" + "KEY-1" + drawn(UPPER + DIGITS, 58), "AGE-SECRET-" + "KEY-1 is its prefix"),
    ("password-hash", "root:", "$6" + "$" + _a(8) + "$" + _a(86), "it costs $6$ a month"),
    ("aws-key", "", "AK" + "IA" + drawn(UPPER + DIGITS, 16), "AKIA" + "-SHORT"),
    ("aws-secret", "aws_secret_access_key = ", drawn(BASE62, 40), "aws_secret_access_key = read from the vault"),
    ("aws-session-token", "aws_session_token=", drawn(BASE64, 180), "aws_session_token=short"),
    ("aws-bedrock-key", "", "AB" + "SK" + _a(120), "ABSKURD"),
    ("google-key", "", "AI" + "za" + _a(35), "AIza" + "_short"),
    ("google-oauth", "", "GOC" + "SPX-" + _a(28), "GOCSPX-" + "short"),
    ("google-oauth", "", "ya" + "29." + _a(60), "ya29." + " is its prefix"),
    ("google-service-account", '"private_key_id": "', _h(40), '"private_key_id": "unknown"'),
    ("azure-storage-key", "AccountName=x;Account" + "Key=", drawn(BASE62, 86) + "==", "Account" + "Key=<key>"),
    ("azure-sas", "https://x.example/c?sv=2022&sig=", _a(43) + "%3D", "https://x.example/c?sig=none"),
    ("azure-client-secret", "secret is ", "a1B" + "8Q" + "~" + _a(34), "8Q~ is what they have in common"),
    ("azure-devops-token", "", _a(76) + "AZ" + "DO" + "a1b2", "the AZDO pipeline"),
    ("alibaba-key", "", "LT" + "AI" + _a(20), "LTAI is its prefix"),
    ("tencent-key", "", "AK" + "ID" + _a(32), "AKIDs are many"),
    ("cloudflare-key", "CLOUDFLARE_API_TOKEN=", _a(40), "CLOUDFLARE_API_TOKEN=$CF"),
    ("cloudflare-key", "", "v1" + ".0-" + _h(24) + "-" + _h(146), "v1.0-" + "beta"),
    ("digitalocean-token", "", "dop" + "_v1_" + _h(64), "dop_v1_" + "0"),
    ("heroku-key", "HEROKU_API_KEY=", UUID, "heroku run " + UUID),
    ("heroku-key", "", "HR" + "KU-" + _a(60), "HRKU-" + "1"),
    ("vercel-token", "VERCEL_TOKEN=", _a(24), "VERCEL_TOKEN=$TOKEN"),
    ("netlify-token", "", "nf" + "p_" + _a(36), "nfp_" + "short"),
    ("render-key", "", "rn" + "d_" + _a(32), "rnd_" + "seed"),
    ("fly-token", "", "fo" + "1_" + _a(43), "fo1_" + "x"),
    ("supabase-key", "", "sb" + "p_" + _h(40), "sbp_" + "dev"),
    ("planetscale-key", "", "pscale" + "_tkn_" + _a(43), "pscale_tkn_" + "x"),
    ("databricks-token", "", "da" + "pi" + _h(32), "dapi" + "fy"),
    ("terraform-token", "", _a(14) + ".atlas" + "v1." + _a(67), ".atlasv1." + " is its middle"),
    ("vault-token", "", "hv" + "s." + _a(28), "hvs." + "short"),
    ("doppler-token", "", "dp." + "st." + _a(43), "dp." + "st.x"),
    ("pulumi-token", "", "pu" + "l-" + _h(40), "pul-" + "1"),
    ("tailscale-key", "", "tskey" + "-auth-" + _a(24), "tskey-" + "auth"),
    ("github-token", "", "gh" + "p_" + _a(36), "ghp_" + "short"),
    ("github-token", "", "gh" + "s_" + _a(36), "ghs_" + "short"),
    ("github-token", "", "github" + "_pat_" + _a(22) + "_" + _a(59), "github_pat_" + "x"),
    ("gitlab-token", "", "gl" + "pat-" + _a(20), "glpat-" + "short"),
    ("gitlab-token", "", "gl" + "rt-" + _a(20), "glrt-" + "short"),
    ("gitlab-token", "", "GR" + "1348941" + _a(20), "GR1348941" + "x"),
    ("bitbucket-token", "", "AT" + "BB" + _a(32), "ATBB" + "x"),
    ("atlassian-token", "", "AT" + "ATT3" + _a(180), "ATATT3" + "x"),
    ("npm-token", "", "np" + "m_" + _a(36), "npm_" + "config_registry"),
    ("pypi-token", "", "py" + "pi-" + "AgEI" + _a(120), "pypi-" + "upload"),
    ("rubygems-key", "", "rubygems" + "_" + _h(48), "rubygems_" + "version"),
    ("nuget-key", "", "oy" + "2" + drawn(LOWER + DIGITS, 43), "oy2" + "x"),
    ("crates-token", "", "ci" + "o" + _a(32), "cio" + "x"),
    ("docker-token", "", "dckr" + "_pat_" + _a(27), "dckr_pat_" + "x"),
    ("artifactory-key", "", "AK" + "Cp" + _a(69), "AKCp" + "x"),
    ("circleci-token", "", "CCI" + "PAT_" + _a(50), "CCIPAT_" + "x"),
    ("buildkite-token", "", "bk" + "ua_" + _h(40), "bkua_" + "x"),
    ("sonar-token", "", "sq" + "p_" + _h(40), "sqp_" + "x"),
    ("sourcegraph-token", "", "sg" + "p_" + _h(40), "sgp_" + "x"),
    ("slack-token", "", "xo" + "xb-" + "123456789012-" + _a(24), "xoxb-" + "1"),
    ("slack-token", "", "xa" + "pp-1-" + _a(40), "xapp-" + "1"),
    (
        "slack-webhook",
        "https://hooks." + "slack.com/services/",
        "T" + "0AB/" + "B1/" + _a(24),
        "hooks.slack.com/services/",
    ),
    (
        "discord-webhook",
        "https://discord.com/api/" + "webhooks/",
        "1" * 18 + "/" + _a(68),
        "/api/webhooks/ takes posts",
    ),
    ("discord-token", "", "M" + _a(23) + "." + _a(6) + "." + _a(38), "My.module.name"),
    (
        "teams-webhook",
        "https://x.webhook." + "office.com/",
        "webhook" + "b2/" + UUID + "@" + UUID,
        "webhook.office.com/x",
    ),
    ("telegram-token", "", "1234567890:" + "AA" + _a(33), "12345678:A" + "B"),
    ("twilio-key", "", "S" + "K" + _h(32), "SK" + "ip"),
    ("twilio-key", "TWILIO_AUTH_TOKEN=", _h(32), "TWILIO_AUTH_TOKEN=${TOKEN}"),
    ("sendgrid-key", "", "S" + "G." + _a(22) + "." + _a(43), "SG." + "x.y"),
    ("mailgun-key", "", "ke" + "y-" + _h(32), "key-" + "value"),
    ("mailgun-key", "", _h(32) + "-" + _h(8) + "-" + _h(8), _h(32) + "-x"),
    ("mailchimp-key", "", _h(32) + "-u" + "s12", _h(32) + "-uk"),
    ("brevo-key", "", "xkey" + "sib-" + _h(64) + "-" + _a(16), "xkeysib-" + "x"),
    ("resend-key", "", "r" + "e_" + _a(8) + "_" + _a(24), "re_" + "compile_pattern"),
    ("stripe-key", "", "sk" + "_live_" + _a(24), "sk_live_" + "x"),
    ("stripe-webhook-secret", "", "wh" + "sec_" + _a(32), "whsec_" + "x"),
    ("square-token", "", "sq0" + "csp-" + _a(43), "sq0" + "csp-x"),
    (
        "braintree-token",
        "",
        "access_" + "token$production$" + drawn(LOWER + DIGITS, 16) + "$" + _h(32),
        "access_token$x",
    ),
    ("paypal-secret", "PAYPAL_CLIENT_SECRET=", "E" + "L" + _a(78), "PAYPAL_CLIENT_SECRET=$X"),
    ("shopify-token", "", "shp" + "at_" + _h(32), "shpat_" + "x"),
    ("facebook-token", "", "EA" + "A" + _a(120), "EAA" + "x"),
    ("anthropic-key", "", "sk-" + "ant-api03-" + _a(80), "sk-" + "ant-x"),
    ("openai-key", "", "sk-" + "proj-" + _a(80), "sk-" + "learn-contrib-something-else"),
    ("openai-key", "", "sk-" + _a(48), "task-" + "x"),
    ("huggingface-token", "", "hf" + "_" + _a(34), "hf_" + "hub_download"),
    ("groq-key", "", "gs" + "k_" + _a(52), "gsk_" + "x"),
    ("xai-key", "", "xa" + "i-" + _a(80), "xai-" + "sdk"),
    ("perplexity-key", "", "pp" + "lx-" + _a(48), "pplx-" + "70b-online"),
    ("replicate-token", "", "r" + "8_" + _a(37), "r8_" + "x"),
    ("langsmith-key", "", "lsv" + "2_pt_" + _h(32) + "_" + _h(10), "lsv2_pt_" + "x"),
    ("nvidia-key", "", "nv" + "api-" + _a(64), "nvapi-" + "x"),
    ("pinecone-key", "", "pc" + "sk_" + _a(60), "pcsk_" + "x"),
    ("elevenlabs-key", "", "sk" + "_" + _h(48), "sk_" + "buff"),
    ("datadog-key", "DD_API_KEY=", _h(32), "DD_API_KEY=$KEY"),
    ("newrelic-key", "", "NR" + "AK-" + drawn(UPPER + DIGITS, 27), "NRAK-" + "x"),
    ("sentry-dsn", "https://", _h(32), "https://sentry.example/4"),
    ("sentry-token", "", "sn" + "trys_" + _a(60), "sntrys_" + "x"),
    ("grafana-token", "", "gl" + "sa_" + _a(32) + "_" + _h(8), "glsa_" + "x"),
    (
        "dynatrace-token",
        "",
        "dt0" + "c01." + drawn(UPPER + DIGITS, 24) + "." + drawn(UPPER + DIGITS, 64),
        "dt0c01." + "x",
    ),
    ("linear-key", "", "lin" + "_api_" + _a(40), "lin_api_" + "x"),
    ("notion-token", "", "nt" + "n_" + _a(46), "ntn_" + "x"),
    ("notion-token", "", "sec" + "ret_" + _a(43), "secret_" + "manager_client_options"),
    ("airtable-token", "", "pa" + "t" + _a(14) + "." + _h(64), "pattern.fullmatch"),
    ("figma-token", "", "fi" + "gd_" + _a(40), "figd_" + "x"),
    ("postman-key", "", "PM" + "AK-" + _h(24) + "-" + _h(34), "PMAK-" + "x"),
    ("hubspot-token", "", "pa" + "t-na1-" + UUID, "pat-na1-" + "x"),
    ("launchdarkly-key", "", "sd" + "k-" + UUID, "sdk-" + "tools"),
    ("clickup-token", "", "p" + "k_12345678_" + drawn(UPPER + DIGITS, 32), "pk_12345678_" + "x"),
    ("dropbox-token", "", "s" + "l.u." + _a(130), "sl." + "u.x"),
    ("onepassword-token", "", "op" + "s_eyJ" + _a(250), "ops_" + "eyJx"),
    ("contentful-token", "", "CF" + "PAT-" + _a(43), "CFPAT-" + "x"),
    ("jwt", "", "ey" + "J" + _a(30) + "." + _a(60) + "." + _a(43), "eyJ" + "x.y.z"),
    ("netrc-password", "machine x.example login me password ", "hunter2", "machine learning login password"),
    (
        "seed-phrase",
        "mnemonic: ",
        "abandon ability able about above absent absorb abstract absurd abuse access acid",
        "mnemonic: abandon ability",
    ),
    ("bearer", "Authorization: Bearer ", _a(40), "Bearer authentication-is-required-here"),
    ("basic-auth", "Authorization: Basic ", "dXNlcjpwYXNzd29yZDEyMw==", "Basic understanding of Python"),
    ("basic-auth", "curl -u admin:", "S3cr3tPw", "docker run -u 1000:1000 image"),
    ("url-password", "postgres://app:", "x7Pw-q2", "see https://example.com:8080/a@b"),
    ("url-user", "https://", _a(30), "https://alice@example.com/x"),
    ("high-entropy", "the code ", _a(32), "the class AbstractSingletonProxyFactoryBean2Impl3"),
    ("high-entropy", "the code ", drawn(LOWER + DIGITS, 40), "the slug 2026-11-21-some-title-of-an-entry-k7q2m9xa"),
)
AFTER = {"url-password": "@db.example/x", "url-user": "@example.com/x.git", "sentry-dsn": "@o1.ingest.sentry.io/42"}

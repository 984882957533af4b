"""Names of which one purpose takes only one: data of the trade, where ``choice_parser`` is grammar."""

from __future__ import annotations

from holdfast.ground.text.stems import stem

# A line is a kind of thing; names of one thing are joined by "/".
_FOR_ONE_PURPOSE = """
postgres/postgresql/pg mysql mariadb sqlite mongodb/mongo dynamodb cassandra cockroachdb oracle mssql firestore
redis valkey memcached dragonfly
kafka redpanda rabbitmq activemq sqs nats pulsar
jwt session/sesion/sessao/sesiones/sessoes cookie
npm pnpm yarn bun
pip pipenv poetry uv conda
jest vitest mocha jasmine
pytest unittest nose
playwright cypress selenium puppeteer
prettier biome dprint
eslint oxlint tslint
flake8 pylint ruff
react vue angular svelte preact ember
tailwind bootstrap bulma
redux zustand mobx recoil jotai
pinia vuex
webpack vite rollup parcel esbuild turbopack rspack
prisma typeorm drizzle sequelize kysely knex
zod valibot yup joi ajv
rest graphql grpc soap trpc
json xml yaml/yml toml csv protobuf
python golang/go rust java kotlin typescript javascript ruby php elixir scala
django flask fastapi
express fastify koa hono nestjs
spring quarkus micronaut
laravel symfony
rails sinatra
aws gcp azure
heroku fly render vercel netlify railway
terraform opentofu pulumi cloudformation
kubernetes/k8s nomad swarm ecs
jenkins circleci travis buildkite
elasticsearch opensearch meilisearch algolia typesense solr
stripe adyen paypal braintree
sendgrid mailgun ses postmark
sentry rollbar bugsnag
launchdarkly unleash flagsmith
winston pino bunyan
utc local
squash rebase
"""
# These exclude each other wherever nothing narrower is said.
_EVERYWHERE = """
tab/tabulation/tabulacion/tabulaciones/tabulacao/tabulacoes space/espace/espacio/espaco
single double simples dobles duplas doubles
camel/camelcase snake/snakecase kebab/kebabcase pascal/pascalcase
monorepo polyrepo
"""


def _kinds(text: str) -> tuple[dict[str, str], ...]:
    """Return for each line: stem of a name -> the thing that it names."""
    lines = [[names.split("/") for names in line.split()] for line in text.strip().splitlines()]
    return tuple({stem(name): names[0] for names in line for name in names} for line in lines)


_KINDS, _STYLES = _kinds(_FOR_ONE_PURPOSE), _kinds(_EVERYWHERE)


def exclude_each_other(new: frozenset[str], old: frozenset[str], same_purpose: bool) -> bool:
    """Return whether only the one or the other can hold of these stems, each all that a sentence chooses.

    They are two things of one kind, for a purpose that both sentences name, or in a style.
    """
    kinds = (*_KINDS, *_STYLES) if same_purpose else _STYLES
    return any(_apart(kind, new, old) for kind in kinds)


def _apart(kind: dict[str, str], new: frozenset[str], old: frozenset[str]) -> bool:
    ours, theirs = ({kind[word] for word in words if word in kind} for words in (new, old))
    return len(ours) == len(theirs) == 1 and ours != theirs and new.difference(kind) == old.difference(kind)

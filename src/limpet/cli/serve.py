"""``limpet serve``: starts the team's server, and makes its first tokens."""

from __future__ import annotations

import click

from limpet.cli.output import emit, json_option
from limpet.ground.errors import LimpetError
from limpet.hosts.origin import install_line
from limpet.sharing.address import LOOPBACK


@click.command()
@click.option("--store", required=True, metavar="URL", envvar="LIMPET_STORE", help="The database: postgresql://...")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="The address to listen at.")
@click.option("--port", default=8642, show_default=True, metavar="N", type=click.IntRange(0, 65535))
@click.option("--processes", default=1, show_default=True, metavar="N", type=click.IntRange(1, 256))
@click.option("--requests", default=600, show_default=True, metavar="N", help="Requests of a token in a minute.")
@click.option("--behind-proxy", is_flag=True, help="Another program in front does TLS.")
@click.option("--new-token", metavar="TENANT[/PROJECT]", help="Print a new token, and end.")
@click.option("--person", default="", metavar="NAME", help="With --new-token: whose it is.")
@click.option("--scope", "scopes", multiple=True, metavar="SCOPE", help="With --new-token: read, write or admin.")
@json_option
def serve(
    store: str,
    host: str,
    port: int,
    processes: int,
    requests: int,
    behind_proxy: bool,
    new_token: str | None,
    person: str,
    scopes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Serve what a team shares from PostgreSQL.

    It brings the database to this version's schema first. TLS is the task of a proxy in front: other addresses than
    this machine's own are refused without --behind-proxy.

    \b
    Examples:
      limpet serve --store postgresql://localhost/limpet --new-token acme --person ann
      limpet serve --store postgresql://localhost/limpet --port 8642
    """
    require_server()
    from limpet.server.run import make_first_token, run_server

    if new_token:
        token = make_first_token(store, new_token, person, scopes or ("read", "write"))
        emit({"token": token}, [token], as_json)
        return
    if host not in LOOPBACK and not behind_proxy:
        hint = "Put a proxy with TLS in front, and say --behind-proxy."
        raise LimpetError("Tokens would cross the network in the open", host, hint)
    run_server(store, host, port, processes, requests)


def require_server() -> None:
    try:
        import fastapi  # noqa: F401
        import mcp  # noqa: F401
        import psycopg_pool  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        hint = f"Run: {install_line('server')}"
        raise LimpetError(f"The server needs a package that is not installed ({error.name})", "", hint) from None

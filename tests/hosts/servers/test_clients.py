"""Where each client reads which servers it starts."""

import os

import pytest

from limpet.hosts.records import LOCAL, USER
from limpet.hosts.registry import HOSTS
from limpet.hosts.servers import CLIENTS, WITHOUT_HOOKS, server_place, used_in


def test_every_host_is_one_and_those_without_hooks_come_by_name():
    assert set(CLIENTS) == {*HOSTS, *WITHOUT_HOOKS} and not set(HOSTS) & set(WITHOUT_HOOKS)


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_a_client_has_a_file_of_the_users_or_the_way_there(client, project, user):
    assert server_place(client, LOCAL, str(project)).startswith(str(project) + os.sep)
    assert bool(server_place(client, USER, str(project))) != bool(client.by_hand)
    assert "~" not in server_place(client, USER, str(project))


@pytest.mark.parametrize(
    ("sign", "names"),
    [
        (".cursorrules", ("cursor",)),
        (".cursor", ("cursor",)),
        (".vscode", ("vscode",)),
        (".agents/rules", ("antigravity",)),
        (".agents/skills", ()),
    ],
)
def test_a_client_without_hooks_is_known_by_its_signs(project, sign, names):
    """A skill of ours is none."""
    assert used_in(str(project)) == ()
    (project / sign).mkdir(parents=True)
    assert used_in(str(project)) == names

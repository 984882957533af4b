"""``limpet rules``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands
from limpet.ground.late import late_modules

adopt, edit, read = late_modules("limpet.cli.rules", "adopt edit read")

SECTIONS = {
    "See": {"list": read.list_domains, "show": read.show_rule_domain, "match": read.match},
    "Check": {"check": read.check_rule_files},
    "Change": {
        "add": edit.add_rule_domain,
        "edit": edit.edit_rule_domain,
        "on": edit.on,
        "off": edit.off,
        "remove": edit.remove,
        "adopt": adopt.adopt,
    },
}


@click.group(cls=Commands, sections=SECTIONS)
def rules() -> None:
    """List, test, check and change the rules.

    \b
    Examples:
      limpet rules list
      limpet rules match "fix the failing test" --all
      limpet rules edit qa --add-rule "Name the test after the behaviour."
    """

"""The pages of rules: the domains, what a prompt would bring, and the rules of one domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.engine.explanation import explain_domains, preview
from limpet.ground.clock import Clock
from limpet.ground.text.escaping import clip
from limpet.operations.project import Project
from limpet.operations.rules.checks import rule_record
from limpet.operations.rules.view import count_rules_by_domain, describe_domain, show_domain
from limpet.operations.why import describe_block
from limpet.rules.naming import RuleDomain
from limpet.rules.plan.compiler import PROJECT, SHIPPED

# Domains that are listed before somebody asks for all, and characters of a prompt that is tried.
SHOWN, LONGEST_PROMPT = 200, 5000


def view_rules(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    found, words = count_rules_by_domain(project.workspace), asked.get("q", "").strip()
    own = [one for one in found if one.origin != SHIPPED]
    shipped = [one for one in found if one.origin == SHIPPED]
    named = [one for one in own if words.lower() in one.name.lower()]
    prompt = clip(asked.get("prompt", "").strip(), LONGEST_PROMPT)
    tried = _try_prompt(project, prompt) if prompt else None
    told = {"own": named[:SHOWN], "left": max(0, len(named) - SHOWN), "shipped": shipped, "q": words}
    return "rules.html", {**told, "prompt": prompt, "tried": tried}


def view_domain(project: Project, asked: Mapping[str, str], name: str) -> tuple[str, dict[str, Any]]:
    found = show_domain(project.workspace, name)
    if not isinstance(found, RuleDomain):
        return "constitution.html", {"articles": found}
    about = describe_domain(found)
    record = rule_record(project.workspace) if found.text.checks else {}
    own = {key: one for key, one in record.items() if key in dict(found.lines)}
    is_own = found.origin == PROJECT
    return "domain.html", {"about": about, "lines": found.lines, "record": own, "is_own": is_own}


def _try_prompt(project: Project, prompt: str) -> dict[str, Any]:
    seen = preview(project.workspace, prompt, clock=Clock())
    explained = explain_domains(seen)
    told = describe_block(seen.request, seen.result)
    fires, silent = [one for one in explained if one.fires], [one for one in explained if not one.fires]
    return {**told, "fires": fires, "not_fired": silent[:SHOWN]}

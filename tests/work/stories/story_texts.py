"""Stories as people and models write them."""

SEED = """\
---
id: STORY-42
title: implement-user-auth
executor: "@dev (Agente)"
pre_conditions:
  - "[x] Story validated by @po"
  - "[x] Architecture approved by @architect"
  - "[ ] Database schema created by @data-engineer"
acceptance:
  - "[ ] Login endpoint returns JWT token"
  - "[ ] Refresh token rotation implemented"
  - "[ ] Rate limiting on auth endpoints"
files:
  - src/auth/login.ts (new)
  - src/auth/middleware.ts (modify)
  - tests/auth/login.test.ts (new)
workflow: greenfield
---

# Implement it

## Tasks

- [x] Write the endpoint
  - [ ] a subtask
- [ ] Rotate the tokens
- [ ] Limit the rate

## Dev Agent Record

Began on Monday.

## QA Results
"""

IN_MARKDOWN = """\
---
id: STORY-42
title: implement-user-auth
executor: Agente
agent: dev
---

## Pre-conditions

[x] Story validated by @po
[x] Architecture approved by @architect
[ ] Database schema created by @data-engineer

## Acceptance Criteria

1. [ ] Login endpoint returns JWT token
2. Refresh token rotation
   implemented
3. [ ] Rate limiting on auth endpoints

## Tasks / Subtasks

### Backend

- [x] Write the endpoint
- [ ] Rotate the tokens
  - [x] a subtask

### Edge

- [ ] Limit the rate

## Dev Agent Record

### File List

- `src/auth/login.ts` (new)
- src/auth/middleware.ts (modify)
- tests/auth/login.test.ts (new)
"""

IN_PORTUGUESE = """\
---
id: STORY-42
título: implement-user-auth
executor: Agente
responsável: "@dev"
---

## Pré-condições

- [x] Story validated by @po
- [x] Architecture approved by @architect
- [ ] Database schema created by @data-engineer

## Critérios de Aceite

- [ ] Login endpoint returns JWT token
- [ ] Refresh token rotation implemented
- [ ] Rate limiting on auth endpoints

## Lista de Arquivos

- src/auth/login.ts (novo)
- src/auth/middleware.ts (modificar)
- tests/auth/login.test.ts (novo)

## Tarefas

- [x] Write the endpoint
- [ ] Rotate the tokens
- [ ] Limit the rate
"""

AS_YAML = """\
id: STORY-42
title: implement-user-auth
executor: Agente
agent: "@dev"
pre_conditions:
  - {text: Story validated by @po, done: true}
  - text: Architecture approved by @architect
    done: true
  - Database schema created by @data-engineer
acceptance_criteria:
  - Login endpoint returns JWT token
  - Refresh token rotation implemented
  - Rate limiting on auth endpoints
file_list:
  - {path: src/auth/login.ts, change: new}
  - {path: src/auth/middleware.ts, change: modify}
  - {path: tests/auth/login.test.ts, change: create}
"""

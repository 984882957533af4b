"""Two versions of the server on one database: no step of the schema takes away or narrows what an older program, which
still serves, relies on."""

import psycopg
import pytest

from limpet.server import migrations

# What there is, as (kind, table or function, what of it): of tables that are no parts of others.
TABLES = "FROM pg_class AS t WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')"
TABLES += " AND NOT t.relispartition"
ASKED = {
    "column": "SELECT t.relname, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,"
    " pg_get_expr(d.adbin, d.adrelid)) FROM pg_attribute AS a JOIN pg_class AS t ON t.oid = a.attrelid"
    " LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum"
    f" WHERE a.attnum > 0 AND NOT a.attisdropped AND t.oid IN (SELECT t.oid {TABLES})",
    "wanted": "SELECT t.relname, a.attname FROM pg_attribute AS a JOIN pg_class AS t ON t.oid = a.attrelid"
    " WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''"
    f" AND t.oid IN (SELECT t.oid {TABLES})",
    "constraint": "SELECT t.relname, pg_get_constraintdef(c.oid) FROM pg_constraint AS c JOIN pg_class AS t"
    f" ON t.oid = c.conrelid WHERE c.contype <> 'n' AND t.oid IN (SELECT t.oid {TABLES})",
    "unique": "SELECT t.relname, pg_get_indexdef(i.indexrelid) FROM pg_index AS i JOIN pg_class AS t"
    f" ON t.oid = i.indrelid WHERE i.indisunique AND t.oid IN (SELECT t.oid {TABLES})",
    "trigger": "SELECT t.relname, pg_get_triggerdef(g.oid) FROM pg_trigger AS g JOIN pg_class AS t"
    f" ON t.oid = g.tgrelid WHERE NOT g.tgisinternal AND t.oid IN (SELECT t.oid {TABLES})",
    "policy": "SELECT tablename, concat_ws(' ', policyname, permissive, roles, cmd, qual, with_check) FROM pg_policies",
    "secured": f"SELECT t.relname, concat(t.relrowsecurity, t.relforcerowsecurity) {TABLES}",
    "grant": "SELECT table_name, concat_ws(' ', grantee, privilege_type, column_name)"
    " FROM information_schema.column_privileges WHERE grantee = 'limpet_caller'"
    " UNION SELECT table_name, concat_ws(' ', grantee, privilege_type) FROM information_schema.table_privileges"
    " WHERE grantee = 'limpet_caller'",
    "function": "SELECT proname, concat_ws(' ', pg_get_function_arguments(oid), pg_get_function_result(oid), prosecdef)"
    " FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
}
NARROWING = {"wanted", "constraint", "unique", "trigger", "policy", "secured"}
HARMFUL = (
    "ALTER TABLE head DROP COLUMN title",
    "ALTER TABLE head RENAME COLUMN title TO name",
    "ALTER TABLE head RENAME TO heads",
    "ALTER TABLE revision ALTER COLUMN number TYPE text",
    "ALTER TABLE revision ADD COLUMN mood text NOT NULL",
    "ALTER TABLE project ALTER COLUMN newest DROP DEFAULT",
    "ALTER TABLE project ALTER COLUMN newest SET DEFAULT 1",
    "ALTER TABLE token ALTER COLUMN expires SET NOT NULL",
    "ALTER TABLE head ADD CONSTRAINT short CHECK (length(title) < 80)",
    "CREATE UNIQUE INDEX ON head (tenant, project, title)",
    "DROP TABLE proof",
    "DROP INDEX revision_place",
    "DROP POLICY reach ON revision",
    "CREATE POLICY wide ON revision USING (true)",
    "ALTER TABLE token ENABLE ROW LEVEL SECURITY",
    "REVOKE DELETE ON head FROM limpet_caller",
    "REVOKE UPDATE (newest) ON project FROM limpet_caller",
    "DROP FUNCTION limpet_search",
    "ALTER FUNCTION limpet_search SECURITY INVOKER",
    "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
    "CREATE TRIGGER no BEFORE INSERT ON token FOR EACH ROW EXECUTE FUNCTION no()",
)
HARMLESS = (
    "ALTER TABLE revision ADD COLUMN mood text NOT NULL DEFAULT ''",
    "ALTER TABLE head ADD COLUMN mood text",
    "CREATE TABLE more (tenant text NOT NULL, project text NOT NULL, PRIMARY KEY (tenant, project));"
    "ALTER TABLE more ENABLE ROW LEVEL SECURITY; CREATE POLICY reach ON more USING (true);"
    "GRANT SELECT ON more TO limpet_caller",
    "CREATE INDEX ON head (tenant, project, place)",
    "GRANT UPDATE ON head TO limpet_caller",
    "CREATE FUNCTION more() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
)


def schema(connection):
    return {(kind, *row) for kind, asked in ASKED.items() for row in connection.execute(asked).fetchall()}


def broken(before, after):
    """What a program that knows ``before`` cannot go on with."""
    known = {name for kind, name, _ in before if kind == "secured"}
    taken = before - after
    narrowed = {one for one in after - before if one[0] in NARROWING and one[1] in known}
    return taken | narrowed


@pytest.fixture
def connection(database):
    with psycopg.connect(database) as found:
        yield found


def test_no_step_of_the_schema_breaks_the_program_before_it(connection, monkeypatch):
    steps = list(migrations._numbered())
    before = None
    for number, text in steps:
        monkeypatch.setattr(migrations, "_numbered", lambda upto=number: (one for one in steps if one[0] <= upto))
        assert migrations.migrate(connection) == 1
        after = schema(connection)
        assert before is None or migrations._needs(text) or not broken(before, after), number
        before = after


def test_a_step_that_would_break_it_is_found(connection):
    migrations.migrate(connection)
    before = schema(connection)
    for statement in (*HARMFUL, *HARMLESS):
        with connection.transaction(force_rollback=True):
            connection.execute(statement)
            assert bool(broken(before, schema(connection))) == (statement in HARMFUL), statement

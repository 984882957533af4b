-- Who did what to a store: written in the transaction of the deed itself, and only ever added to. No text of an entry is
-- here.
CREATE SEQUENCE audit_place;
CREATE TABLE audit (
    tenant text NOT NULL,
    project text NOT NULL,
    place bigint NOT NULL DEFAULT nextval('audit_place'),
    at timestamptz NOT NULL DEFAULT now(),
    deed text NOT NULL,
    about text NOT NULL,
    person text NOT NULL,
    token text NOT NULL,
    agent text NOT NULL,
    PRIMARY KEY (tenant, project, place)
);
CREATE INDEX audit_newest ON audit (tenant, place);

GRANT SELECT, INSERT ON audit TO limpet_caller;
GRANT USAGE ON SEQUENCE audit_place TO limpet_caller;
ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON audit USING (
    tenant = current_setting('limpet.tenant')
    AND current_setting('limpet.project') IN ('*', project)
    AND current_setting('limpet.agent') IN ('', agent)
);

-- An entry by its name, whichever project has it.
CREATE INDEX head_entry ON head (tenant, entry);

-- What speaks for and against an entry of the knowledge in its own project: a list of {source, agent, effect, at}. Whoever
-- looks through a project takes it along.
ALTER TABLE head ADD COLUMN evidence jsonb NOT NULL DEFAULT '[]';
ALTER TABLE proof ADD COLUMN evidence jsonb NOT NULL DEFAULT '[]';

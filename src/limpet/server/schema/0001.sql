-- What a team shares, and who may see it. Every table is led by tenant and project: on plain PostgreSQL it is
-- partitioned by their hash, on Citus distributed by `project`, whose names are unique. Project '*' is the tenant's own.

CREATE TABLE project (
    tenant text NOT NULL,
    project text NOT NULL,
    -- The place in the feed of the newest revision. Whoever writes holds this row until the end, so that places become
    -- visible in their order and no reader passes over one.
    newest bigint NOT NULL DEFAULT 0,
    created timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, project)
) /* partitioned */;

-- Append only, but that what erases an entry takes the text of what it stands for.
CREATE TABLE revision (
    tenant text NOT NULL,
    project text NOT NULL,
    writer text NOT NULL,
    number bigint NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    entry text NOT NULL,
    parents text[] NOT NULL,
    place bigint NOT NULL,
    person text NOT NULL,
    owner text NOT NULL,
    state text NOT NULL,
    body bytea NOT NULL,
    arrived timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, project, writer, number)
) /* partitioned */;
CREATE UNIQUE INDEX revision_place ON revision (tenant, project, place);
CREATE INDEX revision_entry ON revision (tenant, project, entry);

-- The revisions that nothing replaced: several of an entry that two people changed at once.
CREATE TABLE head (
    tenant text NOT NULL,
    project text NOT NULL,
    entry text NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    owner text NOT NULL,
    person text NOT NULL,
    title text NOT NULL,
    confidence numeric(5, 4) NOT NULL,
    -- The same for entries that say the same, in whatever project.
    sense text NOT NULL,
    words tsvector NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (tenant, project, entry, id)
) /* partitioned */;
CREATE INDEX head_words ON head USING gin (words);

CREATE TABLE token (
    tenant text NOT NULL,
    project text NOT NULL,
    id text NOT NULL,
    digest bytea NOT NULL,
    scopes text[] NOT NULL,
    agent text NOT NULL,
    person text NOT NULL,
    created timestamptz NOT NULL DEFAULT now(),
    expires timestamptz,
    revoked timestamptz,
    PRIMARY KEY (tenant, project, id)
) /* partitioned */;

-- Requests of a token in a minute. What a crash loses here is no loss.
CREATE UNLOGGED TABLE request (
    tenant text NOT NULL,
    project text NOT NULL,
    token text NOT NULL,
    minute bigint NOT NULL,
    requests integer NOT NULL,
    PRIMARY KEY (tenant, project, token, minute)
);

-- Whoever asks is this role for the length of a transaction: it owns nothing, so that every policy binds it. All
-- databases of a server share it: an administrator may have made it, and granted it to the owner of this one.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'limpet_caller') THEN
        CREATE ROLE limpet_caller NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
    GRANT limpet_caller TO CURRENT_USER;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$;
GRANT SELECT, INSERT ON project, revision TO limpet_caller;
GRANT UPDATE (newest) ON project TO limpet_caller;
GRANT UPDATE (body) ON revision TO limpet_caller;
GRANT SELECT, INSERT, DELETE ON head TO limpet_caller;

ALTER TABLE project ENABLE ROW LEVEL SECURITY;
ALTER TABLE revision ENABLE ROW LEVEL SECURITY;
ALTER TABLE head ENABLE ROW LEVEL SECURITY;
CREATE POLICY reach ON project USING (
    tenant = current_setting('limpet.tenant')
    AND current_setting('limpet.project') IN ('*', project)
);
CREATE POLICY reach ON revision USING (
    tenant = current_setting('limpet.tenant')
    AND current_setting('limpet.project') IN ('*', project)
    AND (owner = '' OR current_setting('limpet.agent') IN ('', owner))
);
CREATE POLICY reach ON head USING (
    tenant = current_setting('limpet.tenant')
    AND current_setting('limpet.project') IN ('*', project)
    AND (owner = '' OR current_setting('limpet.agent') IN ('', owner))
);

-- Searches as its owner, whom no policy binds: a policy has to be tried on each row before any operator that is not
-- leakproof, and `@@` is none, so that the index of the words would never be used. It holds the same conditions itself.
-- Planned anew each time, for the project decides which part is read.
CREATE FUNCTION limpet_search(wanted text, asked tsquery, weights real[], most integer)
RETURNS TABLE (entry text, id text, title text, person text, confidence float8, score real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    RETURN QUERY EXECUTE $q$
        SELECT entry, id, title, person, confidence::float8, ts_rank($3, words, $2, 1) FROM head
        WHERE tenant = $5 AND $6 IN ('*', project) AND (owner = '' OR $7 IN ('', owner)) AND words @@ $2 $q$
        || CASE WHEN wanted = '*' THEN '' ELSE 'AND project = $1' END
        || ' ORDER BY 6 DESC, 1, 2 LIMIT $4'
    USING wanted, asked, weights, most, current_setting('limpet.tenant'), current_setting('limpet.project'),
        current_setting('limpet.agent');
END $$;

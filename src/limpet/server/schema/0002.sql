-- What several projects of a tenant learned independently, and what a person of it decided about that.

-- How far a project's feed was looked through.
CREATE TABLE looked_through (
    tenant text NOT NULL,
    project text NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (tenant, project)
);

-- A project that says something (`reinforce`), or does not say it any more (`contradict`). Of project '*'.
CREATE TABLE proof (
    tenant text NOT NULL,
    project text NOT NULL,
    sense text NOT NULL,
    source text NOT NULL,
    effect text NOT NULL CHECK (effect IN ('reinforce', 'contradict')),
    title text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, project, sense, source)
);

CREATE TABLE proposal (
    tenant text NOT NULL,
    project text NOT NULL,
    sense text NOT NULL,
    title text NOT NULL,
    projects integer NOT NULL,
    confidence numeric(5, 4) NOT NULL,
    state text NOT NULL DEFAULT 'proposed' CHECK (state IN ('proposed', 'approved', 'rejected')),
    decided_by text NOT NULL DEFAULT '',
    decided timestamptz,
    PRIMARY KEY (tenant, project, sense)
);

-- The arithmetic of knowledge: from the start by a step for each piece of evidence in its order, within 0 and 1. The
-- first piece is the start itself.
CREATE FUNCTION limpet_moved(confidence numeric, effect text, step numeric, back numeric, start numeric)
RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN confidence IS NULL THEN start
        WHEN effect = 'reinforce' THEN least(1, confidence + step)
        ELSE greatest(0, confidence - back)
    END
$$;
CREATE AGGREGATE limpet_confidence(text, numeric, numeric, numeric) (SFUNC = limpet_moved, STYPE = numeric);

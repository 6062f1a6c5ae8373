-- What people do about findings: who works on one, notes, why it was resolved, whom its payment was credited to.
ALTER TABLE finding ADD COLUMN assigned_to text; -- who works on it; NULL: nobody

CREATE TABLE finding_act (
    id         bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    finding_id bigint NOT NULL CONSTRAINT finding_act_of_finding REFERENCES finding (id),
    act        text NOT NULL
        CONSTRAINT finding_act_known CHECK (act IN ('assign', 'unassign', 'note', 'resolve', 'claim')),
    by         text NOT NULL, -- the caller, as in the subject of the token
    whom       text, -- who works on it; for whom it is claimed
    reason     text, -- the note, or why
    acted_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT finding_act_names_whom CHECK ((act IN ('assign', 'claim')) = (whom IS NOT NULL)),
    CONSTRAINT finding_act_has_reason CHECK (act NOT IN ('note', 'resolve', 'claim') OR reason IS NOT NULL)
);
CREATE INDEX finding_act_by_finding ON finding_act (finding_id, id);
GRANT SELECT, INSERT ON finding_act TO ledgerd_service;
GRANT UPDATE (assigned_to) ON finding TO ledgerd_service;
CREATE TRIGGER finding_act_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON finding_act
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

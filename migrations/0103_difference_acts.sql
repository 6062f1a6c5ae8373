-- @compatible-from 0088
-- What people do about a payment that differs between the gateway and the books: who works on it, and notes. It is of the
-- payment, not of one comparison, so that the next comparison shows it too.
CREATE TABLE difference_act (
    id       bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    gateway  text NOT NULL,
    imp_uid  text NOT NULL,
    act      text NOT NULL CONSTRAINT difference_act_known CHECK (act IN ('assign', 'unassign', 'note')),
    by       text NOT NULL, -- the caller, as in the subject of the token
    whom     text, -- who works on it
    reason   text, -- the note
    acted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT difference_act_names_whom CHECK ((act = 'assign') = (whom IS NOT NULL)),
    CONSTRAINT difference_act_has_note CHECK ((act = 'note') = (reason IS NOT NULL))
);
CREATE INDEX difference_act_by_payment ON difference_act (imp_uid, gateway, id);
GRANT SELECT, INSERT (gateway, imp_uid, act, by, whom, reason) ON difference_act TO ledgerd_service;
CREATE TRIGGER difference_act_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON difference_act
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

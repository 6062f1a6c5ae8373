-- @compatible-from 0105
-- Thresholds of available coins: there is an event when coins fall below one, or rise above one.
CREATE TABLE balance_alert (
    owner  text CONSTRAINT balance_alert_once PRIMARY KEY, -- the user; empty: the ledger's, for users without thresholds of their own
    below  bigint[] NOT NULL, -- ascending; there is an event when coins fall from one of these or more to less
    above  bigint[] NOT NULL, -- ascending; likewise when they rise from one of these or less to more
    set_by text NOT NULL, -- the caller, as in the subject of the token
    set_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT balance_alert_is_short CHECK (cardinality(below) <= 10 AND cardinality(above) <= 10),
    CONSTRAINT balance_alert_in_range CHECK (1 <= ALL (below || above))
);
GRANT SELECT, INSERT, UPDATE (below, above, set_by, set_at), DELETE ON balance_alert TO ledgerd_service;

-- @after-judges

-- Also of what credit_purchases writes, which the judges are not asked of. It comes after them by its name.
CREATE TRIGGER posting_tells_of_balance AFTER INSERT ON posting
    REFERENCING NEW TABLE AS new_posting FOR EACH STATEMENT EXECUTE FUNCTION record_balance_crossings();

-- @compatible-from 0088
-- What a dismissed line of a settlement file is; NULL: it was dismissed before that was asked.
ALTER TABLE settlement_dismissal ADD COLUMN kind text;
ALTER TABLE settlement_dismissal ADD CONSTRAINT settlement_dismissal_kind_known
    CHECK (kind IN ('other_goods', 'total', 'other')) NOT VALID;
GRANT INSERT (kind) ON settlement_dismissal TO ledgerd_service;

-- Another person looked at a dismissal and agrees.
CREATE TABLE settlement_dismissal_check (
    row_id     bigint NOT NULL, -- of settlement_dismissal, with the payment
    payment    text NOT NULL,
    checked_by text NOT NULL, -- the caller, as in the subject of the token; not the one who dismissed it
    checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (row_id, payment)
);
GRANT SELECT, INSERT (row_id, payment, checked_by) ON settlement_dismissal_check TO ledgerd_service;
CREATE TRIGGER settlement_dismissal_check_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_dismissal_check
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- @after-judges

CREATE TRIGGER settlement_dismissal_check_is_judged AFTER INSERT ON settlement_dismissal_check
    FOR EACH ROW EXECUTE FUNCTION judge_settlement_dismissal_check();

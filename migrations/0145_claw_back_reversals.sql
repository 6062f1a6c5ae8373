-- @compatible-from 0136
-- A store that gave money back can take it back: then the claw-back of that refund is reversed, once (docs/decisions/0214).
CREATE TABLE claw_back_reversal (
    journal_entry_id bigint PRIMARY KEY,
    claw_back_id     bigint NOT NULL CONSTRAINT claw_back_reversal_once UNIQUE, -- the entry that it reverses
    purchase_id      bigint NOT NULL,
    told_at          timestamptz NOT NULL -- when the store signed that the refund does not stand
);
CREATE INDEX claw_back_reversal_of_purchase ON claw_back_reversal (purchase_id, told_at);
GRANT SELECT, INSERT ON claw_back_reversal TO ledgerd_service;

-- What the store had given back by the finding refund_reversed that the act resolved: a person settled the purchase by hand.
ALTER TABLE finding_act ADD COLUMN cancelled_amount bigint;

-- @after-judges

CREATE TRIGGER claw_back_reversal_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON claw_back_reversal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER claw_back_reversal_is_judged AFTER INSERT ON claw_back_reversal
    FOR EACH ROW EXECUTE FUNCTION judge_claw_back_reversal();

-- @compatible-from 0105
-- Users who became one (docs/decisions/0205): what was merged, and what each former id refers to.
CREATE TABLE user_merge (
    former            text CONSTRAINT user_merge_once PRIMARY KEY, -- refers to the user from then on
    former_stripe     bigint NOT NULL,
    user_id           text NOT NULL,
    stripe            bigint NOT NULL,
    is_rename         boolean NOT NULL, -- whether the id had nobody before
    coins             bigint NOT NULL CONSTRAINT user_merge_coins_not_negative CHECK (coins >= 0), -- in the wallet and on hold
    debt              bigint NOT NULL CONSTRAINT user_merge_debt_not_negative CHECK (debt >= 0),
    sent_entry_id     bigint, -- of the former user's accounts; NULL: there was nothing to move
    received_entry_id bigint,
    merged_at         timestamptz NOT NULL,
    merged_by         text NOT NULL, -- the caller, as in the subject of the token
    reason            text NOT NULL,
    CONSTRAINT user_merge_into_another CHECK (former <> user_id),
    CONSTRAINT user_merge_has_entries CHECK (
        num_nulls(sent_entry_id, received_entry_id) = CASE WHEN coins + debt > 0 THEN 0 ELSE 2 END)
);
GRANT SELECT, INSERT ON user_merge TO ledgerd_service;

-- Whom an id refers to now. It follows from the merges.
CREATE TABLE user_alias (
    former        text PRIMARY KEY,
    former_stripe bigint NOT NULL,
    user_id       text NOT NULL,
    stripe        bigint NOT NULL
);
CREATE INDEX user_alias_of_user ON user_alias (user_id);
GRANT SELECT ON user_alias TO ledgerd_service;

ALTER TABLE journal_entry DROP CONSTRAINT journal_entry_kind_known;
ALTER TABLE journal_entry ADD CONSTRAINT journal_entry_kind_known CHECK (kind IN (
    'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
    'refund_release', 'refund', 'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment',
    'refund_reversal', 'debt_bank_payment', 'debt_write_off', 'payout', 'provider_repayment', 'dispute_hold',
    'dispute_release', 'adjustment', 'expiry_reversal', 'debt_write_off_reversal', 'claw_back_reversal',
    'grant_void', 'gift_sent', 'gift_received', 'gift_taken_back', 'gift_returned', 'merge')) NOT VALID;
ALTER TABLE entry_kind DROP CONSTRAINT entry_kind_debt_known;
ALTER TABLE entry_kind ADD CONSTRAINT entry_kind_debt_known CHECK (debt IN ('makes', 'ends', 'moves'));
INSERT INTO entry_kind (kind, fact, reverses, returns_coins, debt) VALUES ('merge', 'user_merge', false, false, 'moves')
    ON CONFLICT (kind) DO NOTHING;

-- A capture is reversed in the stripe that its user has now, so a provider's coins can be below zero in one stripe; they are
-- one sum.
ALTER TABLE account DROP CONSTRAINT account_owned_not_overdrawn;
ALTER TABLE account ADD CONSTRAINT account_owned_not_overdrawn CHECK (
    owner IS NULL OR currency = 'KRW' OR code LIKE 'earnings:%' OR CASE normal_side
        WHEN 'D' THEN debits >= credits ELSE credits >= debits END) NOT VALID;

-- @after-judges

CREATE TRIGGER user_merge_is_judged AFTER INSERT ON user_merge FOR EACH ROW EXECUTE FUNCTION judge_user_merge();
CREATE TRIGGER user_merge_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON user_merge
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- @compatible-from 0104
-- A grant can be voided: what is left of its lot in the wallet is taken back, and is no use of coins. A void of all that is
-- left voids what comes back into the lot later, too.
ALTER TABLE journal_entry DROP CONSTRAINT journal_entry_kind_known;
ALTER TABLE journal_entry ADD CONSTRAINT journal_entry_kind_known CHECK (kind IN (
    'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
    'refund_release', 'refund', 'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment',
    'refund_reversal', 'debt_bank_payment', 'debt_write_off', 'payout', 'provider_repayment', 'dispute_hold',
    'dispute_release', 'adjustment', 'expiry_reversal', 'debt_write_off_reversal', 'claw_back_reversal',
    'grant_void')) NOT VALID;
INSERT INTO entry_kind (kind, fact, reverses, returns_coins, debt) VALUES ('grant_void', 'grant_void', true, false, NULL);

-- Whether all coins in the wallet were voided once: what comes back of a spend or capture is then voided with it.
ALTER TABLE lot ADD COLUMN is_voided boolean NOT NULL DEFAULT false;

-- Coins of a grant that were taken back from the wallet.
CREATE TABLE grant_void (
    journal_entry_id bigint PRIMARY KEY,
    lot_id           bigint NOT NULL,
    coins            bigint NOT NULL CONSTRAINT grant_void_coins_positive CHECK (coins > 0),
    is_whole         boolean NOT NULL, -- whether all coins that were in the wallet were asked for
    reversal_id      bigint, -- the entry by which the coins had just come back; NULL: the void was asked for
    CONSTRAINT grant_void_is_asked_or_follows CHECK (NOT is_whole OR reversal_id IS NULL)
);
CREATE INDEX grant_void_of_lot ON grant_void (lot_id);
GRANT SELECT, INSERT ON grant_void TO ledgerd_service;
CREATE TRIGGER grant_void_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON grant_void
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- @after-judges

CREATE TRIGGER grant_void_is_judged AFTER INSERT ON grant_void
    REFERENCING NEW TABLE AS new_void FOR EACH STATEMENT EXECUTE FUNCTION judge_grant_voids();

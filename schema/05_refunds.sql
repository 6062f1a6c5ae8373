-- Money that goes back by our own decision, and owed coins that are paid in won.

-- Money given back on our own order: its coins are set aside, the payment is cancelled at the gateway or paid back by bank
-- transfer, and only then is the purchase reversed.
CREATE TABLE refund (
    id                  bigint PRIMARY KEY,
    stripe              bigint NOT NULL,
    purchase_id         bigint NOT NULL,
    user_id             text NOT NULL,
    status              text NOT NULL,
    coins               bigint NOT NULL CONSTRAINT refund_coins_positive CHECK (coins > 0), -- bought ones
    bonus_coins         bigint NOT NULL CONSTRAINT refund_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    value               bigint NOT NULL, -- what the coins were bought for, minor units of currency
    fee                 bigint NOT NULL CONSTRAINT refund_fee_not_negative CHECK (fee >= 0), -- what of it we keep
    amount              bigint NOT NULL CONSTRAINT refund_amount_positive CHECK (amount > 0), -- what the payer gets
    currency            text NOT NULL,
    explanation         text NOT NULL, -- why, in people's words
    refund_account      jsonb, -- where a virtual account's money goes; personal, so it is erased when it has served
    believed_balance    bigint NOT NULL, -- what could be cancelled at the gateway when it was requested
    refusal             text, -- why the gateway refused; our name of it
    refusal_code        text, -- the gateway's own code
    cancellation_id     text, -- the gateway's id of the cancellation
    journal_entry_id    bigint NOT NULL, -- of the coins set aside
    reversal_entry_id   bigint, -- of the purchase's reversal
    reason              text NOT NULL, -- why it waits, or what came of it
    attempts            bigint NOT NULL DEFAULT 0,
    requested_at        timestamptz NOT NULL,
    next_attempt_at     timestamptz NOT NULL,
    decided_at          timestamptz,
    -- A refund charges bonus coins that were used against paid coins, and both it and the purchase say how many.
    bonus_charged       bigint NOT NULL DEFAULT 0, -- of its coins, how many go in place of used bonus coins
    lease_holder        bigint,
    -- When the gateway was last asked to cancel; NULL: never, or no such request reached it. Whoever asks next first changes
    -- this, so that only one process asks at a time.
    asked_at            timestamptz,
    -- A refund by bank transfer is approved (its coins are taken, the money is owed), then completed (paid) or reversed.
    method              text NOT NULL DEFAULT 'gateway',
    taken               jsonb, -- by bank transfer: the coins taken of each lot and the won deferred for them
    paid_at             timestamptz, -- when the bank paid it
    bank_reference      text, -- what the bank's statement says of it
    -- Which rule set the fee of a refund, and why it was waived; NULL: begun before there were rules.
    fee_rule            text,
    fee_waiver          text,
    -- Expired paid coins can be refunded: they are taken back into the wallet first, with what was recognised for them.
    expired_coins       bigint NOT NULL DEFAULT 0, -- of the paid coins
    expired_value       bigint NOT NULL DEFAULT 0, -- of the value
    expired_fee         bigint NOT NULL DEFAULT 0, -- of the fee
    expiry_reversal_id  bigint, -- the entry that took the expired coins back
    fee_vat             bigint, -- the VAT that the fee contains, whatever the settings are later; NULL: it pays for no supply
    expired_won         bigint, -- won recognised for them; NULL: it has none, or was begun before migration 0066
    -- A refund that was paid by bank transfer can be repaid: it is reversed against the bank.
    repaid_at           timestamptz, -- when the money came back to our bank
    repayment_reference text,
    -- The tax-free part (면세) of what a gateway is asked to cancel. It is stored before the first request, so each later
    -- request of the refund is the same (docs/vat.md, "Tax-free payments").
    tax_free            bigint, -- NULL: none is sent; the gateway takes the whole amount as taxable
    CONSTRAINT refund_amount_is_value_less_fee CHECK (amount = value - fee),
    CONSTRAINT refund_amount_within_balance CHECK (amount <= believed_balance),
    CONSTRAINT refund_refused_has_refusal CHECK ((status = 'refused') = (refusal IS NOT NULL)),
    CONSTRAINT refund_account_is_erased CHECK (status = 'pending' OR refund_account IS NULL),
    CONSTRAINT refund_bonus_charged_within_coins CHECK (bonus_charged >= 0 AND bonus_charged < coins),
    CONSTRAINT refund_one_pending
        EXCLUDE USING btree (purchase_id WITH =) WHERE (status = 'pending') DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT refund_status_fits_method CHECK (CASE method
        WHEN 'gateway' THEN status IN ('pending', 'completed', 'refused')
        WHEN 'bank_transfer' THEN status IN ('approved', 'completed', 'reversed')
        ELSE false END),
    CONSTRAINT refund_taken_has_reversal
        CHECK ((status IN ('approved', 'completed', 'reversed')) = (reversal_entry_id IS NOT NULL)),
    CONSTRAINT refund_decided_has_time CHECK ((status IN ('pending', 'approved')) = (decided_at IS NULL)),
    CONSTRAINT refund_by_transfer_has_taken CHECK ((method = 'bank_transfer') = (taken IS NOT NULL)),
    CONSTRAINT refund_fee_rule_known CHECK (fee_rule IN ('waived', 'free_days', 'expired', 'percentage', 'minimum')),
    CONSTRAINT refund_fee_fits_rule CHECK (
        CASE fee_rule WHEN 'waived' THEN fee = 0
            WHEN 'free_days' THEN fee = expired_fee
            WHEN 'expired' THEN fee = expired_fee AND coins = expired_coins
            ELSE true END
        AND (fee_waiver IS NOT NULL) = coalesce(fee_rule = 'waived', false)),
    CONSTRAINT refund_expired_within_refund CHECK (
        expired_coins BETWEEN 0 AND coins AND expired_value BETWEEN 0 AND value AND expired_fee BETWEEN 0 AND fee
        AND expired_fee <= expired_value),
    CONSTRAINT refund_expired_has_entry CHECK ((expired_coins > 0) = (expiry_reversal_id IS NOT NULL)),
    CONSTRAINT refund_fee_vat_of_fee CHECK (fee > 0 AND fee_vat IN (0, fee / 11) OR fee_vat IS NULL),
    CONSTRAINT refund_paid_has_bank_reference CHECK (
        (paid_at IS NULL) = (bank_reference IS NULL) AND (repaid_at IS NULL) = (repayment_reference IS NULL)
        AND CASE WHEN method = 'bank_transfer' AND status IN ('completed', 'reversed')
            THEN (paid_at IS NOT NULL) = (status = 'completed' OR repaid_at IS NOT NULL)
            ELSE paid_at IS NULL AND repaid_at IS NULL END),
    CONSTRAINT refund_tax_free_within_amount CHECK (
        tax_free IS NULL OR tax_free BETWEEN 0 AND amount AND method = 'gateway')
) WITH (fillfactor = 80);
CREATE INDEX refund_by_purchase ON refund (purchase_id, id);
CREATE INDEX refund_due ON refund (next_attempt_at) WHERE status = 'pending';
CREATE INDEX refund_leased ON refund (lease_holder) WHERE status = 'pending' AND lease_holder IS NOT NULL;
CREATE INDEX refund_pending ON refund (id) WHERE status = 'pending';
-- IS TRUE: a statement that looks for open refunds of something else doesn't read this index as a whole.
CREATE INDEX refund_open_of_user ON refund (user_id, id) WHERE (status IN ('pending', 'approved')) IS TRUE;
CREATE INDEX refund_approved ON refund (id) WHERE status = 'approved';
CREATE INDEX refund_by_transfer ON refund (id) WHERE method = 'bank_transfer';
GRANT SELECT, INSERT, UPDATE (reason, attempts, next_attempt_at, lease_holder, asked_at, tax_free)
    ON refund TO ledgerd_service;

-- One decision on a refund. One that was refused may be carried out all the same, and is completed then.
CREATE TABLE refund_decision (
    journal_entry_id    bigint PRIMARY KEY, -- that released the coins or took them
    refund_id           bigint NOT NULL,
    status              text NOT NULL,
    refusal             text,
    refusal_code        text,
    cancellation_id     text,
    paid_at             timestamptz,
    bank_reference      text,
    repaid_at           timestamptz,
    repayment_reference text,
    CONSTRAINT refund_decision_refused_has_refusal CHECK ((status = 'refused') = (refusal IS NOT NULL)),
    CONSTRAINT refund_decision_status_known CHECK (status IN ('completed', 'refused', 'reversed')),
    CONSTRAINT refund_decision_paid_has_bank_reference CHECK ((paid_at IS NULL) = (bank_reference IS NULL)),
    CONSTRAINT refund_decision_repaid_has_reference CHECK ((repaid_at IS NULL) = (repayment_reference IS NULL))
);
GRANT SELECT, INSERT ON refund_decision TO ledgerd_service;

-- Owed coins that a user paid in won.
CREATE TABLE debt_bank_payment (
    journal_entry_id bigint PRIMARY KEY,
    user_id          text NOT NULL,
    coins            bigint NOT NULL CONSTRAINT debt_bank_payment_coins_positive CHECK (coins > 0),
    amount           bigint NOT NULL CONSTRAINT debt_bank_payment_amount_positive CHECK (amount > 0), -- won
    paid_at          timestamptz NOT NULL, -- when it reached the bank
    bank_reference   text NOT NULL, -- what the bank's statement says of it
    -- VAT that entries without lots have.
    vat              bigint NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT ON debt_bank_payment TO ledgerd_service;

-- @after-judges

CREATE TRIGGER refund_is_judged AFTER INSERT ON refund
    REFERENCING NEW TABLE AS new_refund FOR EACH STATEMENT EXECUTE FUNCTION judge_refunds();
CREATE TRIGGER refund_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON refund
    FOR EACH ROW WHEN (NEW.status = 'pending' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
CREATE TRIGGER refund_decision_is_judged AFTER INSERT ON refund_decision
    REFERENCING NEW TABLE AS new_decision FOR EACH STATEMENT EXECUTE FUNCTION judge_refund_decisions();
CREATE TRIGGER debt_bank_payment_is_judged AFTER INSERT ON debt_bank_payment
    REFERENCING NEW TABLE AS new_payment FOR EACH STATEMENT EXECUTE FUNCTION judge_debt_bank_payments();

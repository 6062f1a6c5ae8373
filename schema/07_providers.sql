-- What providers are owed for what their customers spend, and payouts to them.

-- A version of a provider's terms, in force from when it was set until the next one is.
CREATE TABLE provider_terms (
    id          bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    provider    text NOT NULL,
    share       bigint NOT NULL -- the provider's, in basis points of the won that a capture recognises
        CONSTRAINT provider_terms_share_in_range CHECK (share BETWEEN 0 AND 10000),
    role        text NOT NULL -- ours
        CONSTRAINT provider_terms_role_known CHECK (role IN ('agent', 'principal')),
    withholding text NOT NULL
        CONSTRAINT provider_terms_withholding_known CHECK (withholding IN ('none', 'business_income')),
    set_by      text NOT NULL, -- the caller, as in the subject of the token
    set_at      timestamptz NOT NULL,
    product     text -- of what the provider sells; NULL: all products without terms of their own
);
CREATE INDEX provider_terms_of_provider ON provider_terms (provider, id);
GRANT SELECT, INSERT (provider, share, role, withholding, set_by, product) ON provider_terms TO ledgerd_service;

-- The bank account that payouts to a provider go to: one person proposes it, and another one approves it. It is personal, so it
-- is erased as soon as it is neither in force nor proposed. Who proposed, approved and ended it stays.
CREATE TABLE provider_account (
    id          bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    provider    text NOT NULL,
    account     jsonb, -- its bank, number and holder; NULL: erased
    status      text NOT NULL DEFAULT 'proposed'
        CONSTRAINT provider_account_status_known CHECK (status IN ('proposed', 'withdrawn', 'approved', 'erased')),
    proposed_by text NOT NULL, -- the caller, as in the subject of the token
    proposed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    approved_by text,
    approved_at timestamptz,
    ended_by    text, -- who withdrew, replaced or erased it
    ended_at    timestamptz,
    CONSTRAINT provider_account_is_erased CHECK ((status IN ('proposed', 'approved')) = (account IS NOT NULL)),
    CONSTRAINT provider_account_by_another_person CHECK (approved_by <> proposed_by),
    CONSTRAINT provider_account_approved_by_somebody CHECK (
        num_nulls(approved_by, approved_at) = CASE WHEN status IN ('approved', 'erased') THEN 0 ELSE 2 END),
    CONSTRAINT provider_account_ended_by_somebody CHECK (
        num_nulls(ended_by, ended_at) = CASE WHEN status IN ('withdrawn', 'erased') THEN 0 ELSE 2 END)
);
CREATE INDEX provider_account_of_provider ON provider_account (provider, id);
CREATE UNIQUE INDEX provider_account_once ON provider_account (provider, status) WHERE status IN ('proposed', 'approved');
-- Those that wait for another person, of all that are kept: every page of the console counts them.
CREATE INDEX provider_account_waiting ON provider_account (id) WHERE status = 'proposed';
GRANT SELECT, INSERT (provider, account, proposed_by),
    UPDATE (account, status, approved_by, approved_at, ended_by, ended_at) ON provider_account TO ledgerd_service;

-- A payout to providers: proposed, approved or withdrawn, and paid.
CREATE TABLE payout (
    id            bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    key           text NOT NULL, -- the caller's idempotency key
    cut_off       timestamptz NOT NULL, -- what was recorded before it is paid out
    asked_cut_off timestamptz, -- as the caller named it; NULL: now
    providers     text[], -- the providers that were named; NULL: all
    note          text,
    proposed_by   text NOT NULL, -- the caller, as in the subject of the token
    proposed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    status        text NOT NULL DEFAULT 'proposed'
        CONSTRAINT payout_status_known CHECK (status IN ('proposed', 'approved', 'withdrawn', 'paid')),
    CONSTRAINT payout_key_once UNIQUE (key, proposed_by),
    CONSTRAINT payout_cut_off_is_over CHECK (cut_off <= proposed_at)
);
GRANT SELECT, INSERT (key, cut_off, asked_cut_off, providers, note, proposed_by) ON payout TO ledgerd_service;

-- The provider's share of a capture, or of what came back of one.
CREATE TABLE provider_share (
    journal_entry_id bigint PRIMARY KEY, -- of the capture or the reversal
    capture_id       bigint NOT NULL, -- the entry of the capture: the same, or the one that is reversed
    provider         text NOT NULL,
    stripe           bigint NOT NULL,
    terms_id         bigint NOT NULL CONSTRAINT provider_share_by_terms REFERENCES provider_terms (id),
    amount           bigint NOT NULL -- won recognised, or deferred again
        CONSTRAINT provider_share_amount_not_negative CHECK (amount >= 0),
    share            bigint NOT NULL -- the provider's part of them
        CONSTRAINT provider_share_within_amount CHECK (share BETWEEN 0 AND amount),
    recorded_at      timestamptz NOT NULL,
    payout_id        bigint CONSTRAINT provider_share_in_payout REFERENCES payout (id), -- NULL: in none
    -- The VAT of our commission, or of what came back of it.
    vat              bigint NOT NULL DEFAULT 0,
    product          text -- as the capture names it; NULL: not named, or a reversal
);
CREATE INDEX provider_share_of_provider ON provider_share (provider, recorded_at, journal_entry_id);
CREATE INDEX provider_share_of_capture ON provider_share (capture_id);
-- What a payout pays, in the order in which it is listed.
CREATE INDEX provider_share_paid ON provider_share (payout_id, provider, journal_entry_id);
GRANT SELECT, INSERT (journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at, vat,
    product) ON provider_share TO ledgerd_service;

-- What a provider paid back of a claim.
CREATE TABLE provider_repayment (
    journal_entry_id bigint PRIMARY KEY,
    provider         text NOT NULL,
    stripe           bigint NOT NULL,
    amount           bigint NOT NULL CONSTRAINT provider_repayment_amount_positive CHECK (amount > 0), -- won
    paid_at          timestamptz NOT NULL, -- when the money reached our bank
    bank_reference   text NOT NULL,
    recorded_at      timestamptz NOT NULL,
    payout_id        bigint CONSTRAINT provider_repayment_in_payout REFERENCES payout (id) -- NULL: in none
);
CREATE INDEX provider_repayment_of_provider ON provider_repayment (provider, recorded_at, journal_entry_id);
CREATE INDEX provider_repayment_of_payout ON provider_repayment (payout_id, provider);
GRANT SELECT, INSERT (journal_entry_id, provider, stripe, amount, paid_at, bank_reference, recorded_at)
    ON provider_repayment TO ledgerd_service;

-- What payouts pay and net off: captures, what came back of them, and what providers paid back.
CREATE VIEW provider_due AS
SELECT journal_entry_id, provider, stripe, CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END AS amount,
    recorded_at, payout_id
FROM provider_share
UNION ALL
SELECT journal_entry_id, provider, stripe, amount, recorded_at, payout_id FROM provider_repayment;
GRANT SELECT ON provider_due TO ledgerd_service;

-- What one provider gets.
CREATE TABLE payout_item (
    payout_id  bigint NOT NULL CONSTRAINT payout_item_of_payout REFERENCES payout (id),
    provider   text NOT NULL,
    amount     bigint NOT NULL CONSTRAINT payout_item_amount_positive CHECK (amount > 0), -- before taxes
    income_tax bigint NOT NULL CONSTRAINT payout_item_income_tax_not_negative CHECK (income_tax >= 0),
    local_tax  bigint NOT NULL CONSTRAINT payout_item_local_tax_not_negative CHECK (local_tax >= 0),
    shares     bigint, -- how many shares and repayments it covers; NULL: it is from before migration 0117, they are counted
    PRIMARY KEY (payout_id, provider),
    CONSTRAINT payout_item_taxes_within_amount CHECK (income_tax + local_tax <= amount)
);
CREATE INDEX payout_item_of_provider ON payout_item (provider, payout_id);
GRANT SELECT ON payout_item TO ledgerd_service;

-- What a payout pays to one provider out of one stripe, added up when it is proposed: paying it reads no share again.
CREATE TABLE payout_part (
    payout_id bigint NOT NULL CONSTRAINT payout_part_of_payout REFERENCES payout (id),
    provider  text NOT NULL,
    stripe    bigint NOT NULL,
    amount    bigint NOT NULL -- before taxes; below zero where more came back than was earned
        CONSTRAINT payout_part_amount_not_zero CHECK (amount <> 0),
    PRIMARY KEY (payout_id, provider, stripe)
);
GRANT SELECT ON payout_part TO ledgerd_service;

-- What people decided about a payout.
CREATE TABLE payout_decision (
    payout_id      bigint NOT NULL CONSTRAINT payout_decision_of_payout REFERENCES payout (id),
    decision       text NOT NULL CONSTRAINT payout_decision_known CHECK (decision IN ('approved', 'withdrawn', 'paid')),
    decided_by     text NOT NULL, -- the caller, as in the subject of the token
    decided_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    reason         text,
    paid_at        timestamptz, -- when the bank paid
    bank_reference text,
    PRIMARY KEY (payout_id, decision),
    CONSTRAINT payout_decision_names_payment CHECK (
        (decision = 'paid') = (paid_at IS NOT NULL) AND (decision = 'paid') = (bank_reference IS NOT NULL))
);
GRANT SELECT, INSERT (payout_id, decision, decided_by, reason, paid_at, bank_reference)
    ON payout_decision TO ledgerd_service;

-- The entry by which one provider is paid out of one stripe.
CREATE TABLE payout_entry (
    journal_entry_id bigint PRIMARY KEY,
    payout_id        bigint NOT NULL,
    provider         text NOT NULL,
    stripe           bigint NOT NULL,
    amount           bigint NOT NULL, -- before taxes; below zero where more came back than was earned
    tax              bigint NOT NULL CONSTRAINT payout_entry_tax_not_negative CHECK (tax >= 0),
    CONSTRAINT payout_entry_once UNIQUE (payout_id, provider, stripe)
);
CREATE INDEX payout_entry_of_provider ON payout_entry (provider, journal_entry_id);
GRANT SELECT, INSERT ON payout_entry TO ledgerd_service;

-- @after-judges

CREATE TRIGGER provider_terms_are_set BEFORE INSERT ON provider_terms
    FOR EACH ROW EXECUTE FUNCTION set_provider_terms();
CREATE TRIGGER payout_is_filled AFTER INSERT ON payout FOR EACH ROW EXECUTE FUNCTION fill_payout();
CREATE TRIGGER provider_share_is_immutable
    BEFORE UPDATE OF journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at
    ON provider_share FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_share_is_judged AFTER INSERT ON provider_share
    REFERENCING NEW TABLE AS new_share FOR EACH STATEMENT EXECUTE FUNCTION judge_provider_shares();
CREATE TRIGGER provider_share_product_is_immutable BEFORE UPDATE OF product
    ON provider_share FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_repayment_is_immutable
    BEFORE UPDATE OF journal_entry_id, provider, stripe, amount, paid_at, bank_reference, recorded_at
    ON provider_repayment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_repayment_is_judged AFTER INSERT ON provider_repayment
    REFERENCING NEW TABLE AS new_repayment FOR EACH STATEMENT EXECUTE FUNCTION judge_provider_repayments();
CREATE TRIGGER payout_decision_is_judged AFTER INSERT ON payout_decision
    FOR EACH ROW EXECUTE FUNCTION judge_payout_decision();
CREATE CONSTRAINT TRIGGER payout_decision_is_booked AFTER INSERT ON payout_decision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.decision = 'paid') EXECUTE FUNCTION judge_paid_payout();
CREATE TRIGGER payout_entry_is_judged AFTER INSERT ON payout_entry
    REFERENCING NEW TABLE AS new_entry FOR EACH STATEMENT EXECUTE FUNCTION judge_payout_entries();
CREATE TRIGGER provider_account_is_judged BEFORE UPDATE ON provider_account
    FOR EACH ROW EXECUTE FUNCTION judge_provider_account();

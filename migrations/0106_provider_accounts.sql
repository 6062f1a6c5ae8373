-- @compatible-from 0088
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
GRANT SELECT, INSERT (provider, account, proposed_by),
    UPDATE (account, status, approved_by, approved_at, ended_by, ended_at) ON provider_account TO ledgerd_service;

-- @after-judges

CREATE TRIGGER provider_account_is_judged BEFORE UPDATE ON provider_account
    FOR EACH ROW EXECUTE FUNCTION judge_provider_account();

-- What is final: closed periods, the chain over the journal, and seals of it. What is sealed can't be changed unseen, by the
-- owner of the tables neither.

-- Closing the books of a period: what is effective in it never changes again. Periods are closed one after the other, and
-- never opened again.
CREATE TABLE closed_period (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    until     timestamptz NOT NULL CONSTRAINT closed_period_once UNIQUE, -- everything effective before it is closed
    closed_by text NOT NULL,
    closed_at timestamptz NOT NULL, -- no entry that was recorded later is effective in it
    CONSTRAINT closed_period_is_over CHECK (until <= closed_at)
);
GRANT SELECT, INSERT (until, closed_by) ON closed_period TO ledgerd_service;

-- A closing that one person proposes in the console, and another one carries out or withdraws.
CREATE TABLE closing_proposal (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key           text NOT NULL CONSTRAINT closing_proposal_key_once UNIQUE, -- of the form: one that is sent twice is one
    until         timestamptz NOT NULL, -- everything effective before it is to be closed
    open_items    bigint NOT NULL CONSTRAINT closing_proposal_open_items_not_negative CHECK (open_items >= 0),
    reason        text NOT NULL,
    proposed_by   text NOT NULL,
    proposed_name text NOT NULL,
    proposed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    status        text NOT NULL DEFAULT 'waiting'
        CONSTRAINT closing_proposal_status_known CHECK (status IN ('waiting', 'closed', 'withdrawn')),
    decided_by    text,
    decided_name  text,
    decided_at    timestamptz,
    CONSTRAINT closing_proposal_decided_by_somebody CHECK (
        num_nonnulls(decided_by, decided_name, decided_at) = CASE status WHEN 'waiting' THEN 0 ELSE 3 END),
    CONSTRAINT closing_proposal_has_second_person CHECK (status <> 'closed' OR decided_by <> proposed_by)
);
CREATE UNIQUE INDEX closing_proposal_waiting_once ON closing_proposal (status) WHERE status = 'waiting';
GRANT SELECT, INSERT (key, until, open_items, reason, proposed_by, proposed_name),
    UPDATE (status, decided_by, decided_name, decided_at) ON closing_proposal TO ledgerd_service;

-- Entries in order of (transaction_id, id), each hashed together with the hash before it: docs/seals.md says how. A link
-- is the state after so many entries.
CREATE TABLE chain_link (
    id             bigint PRIMARY KEY CONSTRAINT chain_link_id_positive CHECK (id > 0), -- 1, 2, 3, …
    first_position bigint NOT NULL, -- its entries, counted from 1
    last_position  bigint NOT NULL,
    transaction_id xid8 NOT NULL, -- of its last entry
    entry_id       bigint NOT NULL, -- its last entry
    previous_hash  bytea NOT NULL CONSTRAINT chain_link_previous_hash_is_sha256 CHECK (octet_length(previous_hash) = 32),
    hash           bytea NOT NULL CONSTRAINT chain_link_hash_is_sha256 CHECK (octet_length(hash) = 32),
    totals         jsonb NOT NULL, -- debits and credits of all entries up to here, by kind of account
    linked_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Links of format 1 are from before there was a format 2, whose first link begins with the first entry of the journal. It is the
    -- default because the processes of then named no format.
    format         bigint NOT NULL DEFAULT 1,
    CONSTRAINT chain_link_has_entries CHECK (first_position BETWEEN 1 AND last_position)
);
GRANT SELECT, INSERT ON chain_link TO ledgerd_service;

-- The chain of format 2 (docs/seals.md) hashes commitments in place of the texts that can be of people. Text and salt open a
-- commitment. When texts are erased, their salt goes too, and the commitments are kept: amounts, accounts and order stay proven,
-- and nothing leads back to the text. Who adds a link draws the salts that its entries lack, so who writes entries has nothing to
-- do with them. Entries with no such text have none.
CREATE TABLE entry_salt (
    entry_id  bigint PRIMARY KEY,
    salt      bytea DEFAULT uuid_send(gen_random_uuid())
        CONSTRAINT entry_salt_has_16_bytes CHECK (octet_length(salt) = 16), -- NULL: what it was of is erased
    reference bytea CONSTRAINT entry_salt_reference_is_sha256 CHECK (octet_length(reference) = 32),
    reason    bytea CONSTRAINT entry_salt_reason_is_sha256 CHECK (octet_length(reason) = 32),
    CONSTRAINT entry_salt_or_commitments CHECK ((salt IS NULL) = (num_nonnulls(reference, reason) > 0))
);
GRANT SELECT, INSERT (entry_id) ON entry_salt TO ledgerd_service;

-- The same of accounts of users and providers.
CREATE TABLE account_salt (
    account_id bigint PRIMARY KEY,
    salt       bytea DEFAULT uuid_send(gen_random_uuid())
        CONSTRAINT account_salt_has_16_bytes CHECK (octet_length(salt) = 16),
    code       bytea CONSTRAINT account_salt_code_is_sha256 CHECK (octet_length(code) = 32),
    CONSTRAINT account_salt_or_commitment CHECK (num_nonnulls(salt, code) = 1)
);
GRANT SELECT, INSERT (account_id) ON account_salt TO ledgerd_service;

-- Signed states of the chain. A copy that is kept elsewhere proves what stood here.
CREATE TABLE seal (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    statement  text NOT NULL, -- what is signed
    public_key bytea NOT NULL CONSTRAINT seal_public_key_is_ed25519 CHECK (octet_length(public_key) = 32),
    signature  bytea NOT NULL CONSTRAINT seal_signature_is_ed25519 CHECK (octet_length(signature) = 64),
    sealed_at  timestamptz NOT NULL
);
GRANT SELECT, INSERT ON seal TO ledgerd_service;

-- @after-judges

CREATE TRIGGER closed_period_is_judged BEFORE INSERT ON closed_period FOR EACH ROW EXECUTE FUNCTION judge_closing();
CREATE TRIGGER closed_period_is_recorded AFTER INSERT ON closed_period FOR EACH ROW EXECUTE FUNCTION record_closing();
-- A closing is carried out by another person than its proposer, at every door.
CREATE TRIGGER closing_proposal_is_judged BEFORE UPDATE ON closing_proposal
    FOR EACH ROW EXECUTE FUNCTION judge_closing_proposal();
CREATE TRIGGER chain_link_is_judged AFTER INSERT ON chain_link
    REFERENCING NEW TABLE AS new_chain_link FOR EACH STATEMENT EXECUTE FUNCTION judge_chain_links();
CREATE TRIGGER seal_is_recorded AFTER INSERT ON seal FOR EACH ROW EXECUTE FUNCTION record_seal();

-- A chain over the journal, and seals of it: what is sealed can't be changed unseen, by the owner of the tables neither.

-- The order of commits, as far as there is one: ids come in blocks and say nothing of it. What is recorded before the
-- oldest transaction that still runs is complete. Entries from before there was a chain come first.
ALTER TABLE journal_entry ADD COLUMN transaction_id xid8 NOT NULL DEFAULT '0';
ALTER TABLE journal_entry ALTER COLUMN transaction_id SET DEFAULT pg_current_xact_id();
CREATE INDEX journal_entry_in_order ON journal_entry (transaction_id, id);
-- All but transaction_id: nobody who posts may say when he did.
REVOKE INSERT ON journal_entry FROM ledgerd_service;
GRANT INSERT (id, stripe, kind, reference, effective_at, recorded_at, reason, reverses, late_for)
    ON journal_entry TO ledgerd_service;

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
    CONSTRAINT chain_link_has_entries CHECK (first_position BETWEEN 1 AND last_position)
);
GRANT SELECT, INSERT ON chain_link TO ledgerd_service;

CREATE FUNCTION judge_chain_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM new_chain_link AS link
        LEFT JOIN chain_link AS before ON before.id = link.id - 1
        WHERE CASE WHEN link.id = 1 THEN link.first_position <> 1
            ELSE before.id IS NULL OR link.first_position <> before.last_position + 1
                OR link.previous_hash <> before.hash
                OR (link.transaction_id, link.entry_id) <= (before.transaction_id, before.entry_id) END
    ) THEN
        RAISE EXCEPTION 'a link of the chain does not follow the one before it'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'chain_link', CONSTRAINT = 'chain_link_follows';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER chain_link_is_judged AFTER INSERT ON chain_link
    REFERENCING NEW TABLE AS new_chain_link
    FOR EACH STATEMENT EXECUTE FUNCTION judge_chain_links();
CREATE TRIGGER chain_link_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON chain_link
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Signed states of the chain. A copy that is kept elsewhere proves what stood here.
CREATE TABLE seal (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    statement  text NOT NULL, -- what is signed
    public_key bytea NOT NULL CONSTRAINT seal_public_key_is_ed25519 CHECK (octet_length(public_key) = 32),
    signature  bytea NOT NULL CONSTRAINT seal_signature_is_ed25519 CHECK (octet_length(signature) = 64),
    sealed_at  timestamptz NOT NULL
);
GRANT SELECT, INSERT ON seal TO ledgerd_service;
CREATE TRIGGER seal_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON seal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

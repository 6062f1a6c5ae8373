-- @compatible-from 0126
-- The chain of format 2 (docs/seals.md) hashes commitments in place of the texts that can be of people. Text and salt open a
-- commitment. When texts are erased, their salt goes too, and the commitments are kept: amounts, accounts and order stay proven,
-- and nothing leads back to the text.

-- Who adds a link draws the salts that its entries lack, so who writes entries has nothing to do with them. Entries with no such
-- text have none.
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

-- Links that were there are of format 1, and so is what a process of the version before writes. The first link of format 2
-- begins with the first entry of the journal.
ALTER TABLE chain_link ADD COLUMN format bigint NOT NULL DEFAULT 1;

-- @after-judges

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['entry_salt', 'account_salt'] LOOP
        EXECUTE format(
            'CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
            name || '_is_immutable', name);
    END LOOP;
END
$$;

-- @outside-transaction
-- Every entry had one of the kinds that were known before, and no owned account was overdrawn.
ALTER TABLE journal_entry VALIDATE CONSTRAINT journal_entry_kind_known;
ALTER TABLE account VALIDATE CONSTRAINT account_owned_not_overdrawn;

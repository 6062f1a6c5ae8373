-- @outside-transaction
-- @compatible-from 0086
-- Every entry had one of the kinds that were known before.
ALTER TABLE journal_entry VALIDATE CONSTRAINT journal_entry_kind_known;

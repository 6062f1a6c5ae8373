-- @outside-transaction
-- @compatible-from 0104
-- The kinds of all entries were known before, too, so this only reads them. Writers go on meanwhile.
ALTER TABLE journal_entry VALIDATE CONSTRAINT journal_entry_kind_known;

-- @outside-transaction
-- @compatible-from 0105
ALTER TABLE journal_entry VALIDATE CONSTRAINT journal_entry_kind_known;
ALTER TABLE account VALIDATE CONSTRAINT account_owned_not_overdrawn;

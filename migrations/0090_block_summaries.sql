-- @compatible-from 0088
-- ledgerd summarises the block-range indexes (summarise_block_ranges). PostgreSQL's own queue of blocks overflows under load: it
-- then forgets them and logs each one. And judges look up by key whatever the statistics say, in schema/judges.
ALTER INDEX journal_entry_by_effective_at SET (autosummarize = off);
ALTER INDEX posting_by_journal_entry SET (autosummarize = off);
ALTER INDEX purchase_by_paid_at SET (autosummarize = off);

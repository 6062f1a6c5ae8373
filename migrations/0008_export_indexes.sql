-- What exports look for.

-- The entries of a month, without reading those of all years. Entries are written about when they happen, so a
-- block-range index finds them, and costs the writers nothing.
CREATE INDEX journal_entry_by_effective_at ON journal_entry USING brin (effective_at) WITH (autosummarize = on);

-- New pages are summarised as they fill up, not when the table is next vacuumed: what is not summarised is always read.
ALTER INDEX posting_by_journal_entry SET (autosummarize = on);

-- What went back of a purchase until a period ended is told by its reversals: the export of the period looks for them. Few
-- entries are any, so the index costs the others nothing.
CREATE INDEX journal_entry_reversing_purchase ON journal_entry (reverses) WHERE kind IN ('refund', 'claw_back');

-- A payment that two APIs of a gateway list is one item of a run: the second is taken out again before the run ends.
GRANT DELETE ON reconciliation_item TO ledgerd_service;

-- Nothing matches that no gateway knows. Runs of the past may hold such items.
ALTER TABLE reconciliation_item
    ADD CONSTRAINT reconciliation_item_matched_has_payment CHECK (kind <> 'matched' OR paid_status IS NOT NULL) NOT VALID;

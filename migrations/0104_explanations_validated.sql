-- @outside-transaction
-- @compatible-from 0088
-- Lines that were dismissed before have no kind, which fulfils the constraint.
ALTER TABLE settlement_dismissal VALIDATE CONSTRAINT settlement_dismissal_kind_known;

-- @outside-transaction
-- @compatible-from 0105
-- Who has coins of a purchase, or of a lot, that were given away. Most lots are none, so the indexes cost the others nothing.
DROP INDEX CONCURRENTLY IF EXISTS lot_given_of_purchase;
CREATE INDEX CONCURRENTLY lot_given_of_purchase ON lot (origin_purchase_id)
    WHERE origin_purchase_id IS NOT NULL AND (is_open OR vat IS NOT NULL);
DROP INDEX CONCURRENTLY IF EXISTS lot_given_of_lot;
CREATE INDEX CONCURRENTLY lot_given_of_lot ON lot (origin_id) WHERE origin_id IS NOT NULL;
ALTER TABLE journal_entry VALIDATE CONSTRAINT journal_entry_kind_known;
ALTER TABLE lot VALIDATE CONSTRAINT lot_amount_by_kind;

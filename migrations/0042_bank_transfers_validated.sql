-- @outside-transaction
-- What rows of before have, which no new constraint forbids; and payments that are outstanding at the gateway.
ALTER TABLE journal_entry VALIDATE CONSTRAINT journal_entry_kind_known;
ALTER TABLE reconciliation_item VALIDATE CONSTRAINT reconciliation_item_kind_known;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_transferred_within_refunded;
ALTER TABLE purchase_reversal VALIDATE CONSTRAINT purchase_reversal_goes_one_way;
ALTER TABLE refund VALIDATE CONSTRAINT refund_status_fits_method;
ALTER TABLE refund VALIDATE CONSTRAINT refund_taken_has_reversal;
ALTER TABLE refund VALIDATE CONSTRAINT refund_decided_has_time;
ALTER TABLE refund VALIDATE CONSTRAINT refund_by_transfer_has_taken;
ALTER TABLE refund VALIDATE CONSTRAINT refund_paid_has_bank_reference;
ALTER TABLE refund_decision VALIDATE CONSTRAINT refund_decision_status_known;
ALTER TABLE refund_decision VALIDATE CONSTRAINT refund_decision_paid_has_bank_reference;
DROP INDEX CONCURRENTLY IF EXISTS purchase_unsettled;
CREATE INDEX CONCURRENTLY purchase_unsettled ON purchase (id)
    WHERE amount - refunded_amount + transferred_amount <> settled_amount;
DROP INDEX CONCURRENTLY IF EXISTS purchase_outstanding;
DROP INDEX CONCURRENTLY IF EXISTS refund_approved;
CREATE INDEX CONCURRENTLY refund_approved ON refund (id) WHERE status = 'approved';

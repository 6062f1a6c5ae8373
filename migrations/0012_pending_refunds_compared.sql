-- What a pending refund of ours will take of a payment: a cancellation at the gateway up to that is no difference.

ALTER TABLE reconciliation_item ADD COLUMN pending_refund_amount bigint; -- NULL: no refund of it was pending
GRANT UPDATE (pending_refund_amount) ON reconciliation_item TO ledgerd_service;

-- A lease ends with the process that has it. The holder is named by the key of an advisory lock that one of the process's
-- sessions holds: PostgreSQL releases the lock when the session ends. NULL: nobody has a lease, or the lease only runs out.
ALTER TABLE receipt_retry ADD COLUMN lease_holder bigint;
ALTER TABLE webhook_event ADD COLUMN lease_holder bigint;
ALTER TABLE reconciliation_run ADD COLUMN lease_holder bigint;
ALTER TABLE refund ADD COLUMN lease_holder bigint;

-- When the gateway was last asked to cancel; NULL: never, or no such request reached it. Whoever asks next first changes
-- this, so that only one process asks at a time.
ALTER TABLE refund ADD COLUMN asked_at timestamptz;
UPDATE refund SET asked_at = now() WHERE status = 'pending';

GRANT UPDATE (lease_holder) ON webhook_event TO ledgerd_service;
GRANT UPDATE (lease_holder) ON reconciliation_run TO ledgerd_service;
GRANT UPDATE (lease_holder, asked_at) ON refund TO ledgerd_service;

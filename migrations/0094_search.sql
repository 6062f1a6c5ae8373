-- @outside-transaction
-- @compatible-from 0088
-- The console's search. Users are found by the beginning of their id, whatever the collation; these indexes also serve what 0095
-- takes the old ones away from: text_pattern_ops has the same equality.
DROP INDEX CONCURRENTLY IF EXISTS account_by_owner;
CREATE INDEX CONCURRENTLY account_by_owner ON account (owner text_pattern_ops)
    WHERE owner IS NOT NULL AND code NOT LIKE 'earnings:%';
DROP INDEX CONCURRENTLY IF EXISTS order_of_user;
CREATE INDEX CONCURRENTLY order_of_user ON "order" (user_id text_pattern_ops, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS receipt_retry_of_user;
CREATE INDEX CONCURRENTLY receipt_retry_of_user ON receipt_retry (user_id text_pattern_ops, id);
DROP INDEX CONCURRENTLY IF EXISTS finding_of_user;
CREATE INDEX CONCURRENTLY finding_of_user ON finding (user_id text_pattern_ops) WHERE user_id IS NOT NULL;
-- Payments of an amount on a day.
DROP INDEX CONCURRENTLY IF EXISTS purchase_by_time;
CREATE INDEX CONCURRENTLY purchase_by_time ON purchase (paid_at, amount);
DROP INDEX CONCURRENTLY IF EXISTS finding_by_time;
CREATE INDEX CONCURRENTLY finding_by_time ON finding ((coalesce(paid_at, found_at)), amount);
-- Events of gateways by the payment that they name.
DROP INDEX CONCURRENTLY IF EXISTS webhook_event_by_payment;
CREATE INDEX CONCURRENTLY webhook_event_by_payment ON webhook_event (imp_uid, id);
DROP INDEX CONCURRENTLY IF EXISTS webhook_event_by_order;
CREATE INDEX CONCURRENTLY webhook_event_by_order ON webhook_event ((coalesce(payment_id, merchant_uid)), id);
-- Findings of a person.
DROP INDEX CONCURRENTLY IF EXISTS finding_by_assignee;
CREATE INDEX CONCURRENTLY finding_by_assignee ON finding (assigned_to) WHERE assigned_to IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS finding_act_by_person;
CREATE INDEX CONCURRENTLY finding_act_by_person ON finding_act (by, finding_id) WHERE act IN ('resolve', 'claim');

-- @outside-transaction
-- @compatible-from 0088
-- People list the open findings that they work on.
DROP INDEX CONCURRENTLY IF EXISTS finding_by_assignee;
CREATE INDEX CONCURRENTLY finding_by_assignee ON finding (assigned_to, id)
    WHERE resolved_at IS NULL AND assigned_to IS NOT NULL;
ALTER TABLE finding_act VALIDATE CONSTRAINT finding_act_known;
ALTER TABLE finding_act VALIDATE CONSTRAINT finding_act_has_reason;

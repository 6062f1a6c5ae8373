-- @outside-transaction
-- @compatible-from 0088
-- Findings whose payment a person gave back are found by the person, as those that they resolved or credited.
DROP INDEX CONCURRENTLY IF EXISTS finding_act_of_person;
CREATE INDEX CONCURRENTLY finding_act_of_person ON finding_act (by, finding_id)
    WHERE act IN ('resolve', 'claim', 'refund');
DROP INDEX CONCURRENTLY IF EXISTS finding_act_by_person;
ALTER TABLE finding_act VALIDATE CONSTRAINT finding_act_known;
ALTER TABLE finding_act VALIDATE CONSTRAINT finding_act_has_reason;

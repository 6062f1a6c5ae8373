-- @compatible-from 0088
-- The author of a proposal can withdraw it. A second proposal about an object is made by somebody who has seen the first: the
-- judge of proposals refuses another one, under the name that the index of one open proposal had. Whoever makes one beside
-- another says which was the newest that they saw; so it can't be outdated by an approval of the other without a word, and of
-- two that are made at once one is refused. Proposals of before have neither.
ALTER TABLE approval
    ADD COLUMN beside bigint, -- the newest open proposal about the object that the proposer had seen
    ADD COLUMN withdrawn_by text CONSTRAINT approval_withdrawn_by_author CHECK (withdrawn_by = proposed_by),
    ADD COLUMN withdrawn_at timestamptz,
    ADD CONSTRAINT approval_withdrawn_has_person CHECK (
        num_nulls(withdrawn_by, withdrawn_at) = CASE status WHEN 'withdrawn' THEN 0 ELSE 2 END),
    DROP CONSTRAINT approval_status_known,
    ADD CONSTRAINT approval_status_known CHECK (
        status IN ('waiting', 'withdrawn', 'approved', 'declined', 'done', 'refused')),
    DROP CONSTRAINT approval_decided_has_person,
    ADD CONSTRAINT approval_decided_has_person CHECK (
        num_nulls(decided_by, decided_name, decided_at, decision_reason)
            = CASE WHEN status IN ('waiting', 'withdrawn') THEN 4 ELSE 0 END);
DROP INDEX approval_open_once;
ALTER TABLE approval DROP COLUMN is_twin;
-- Pages show the proposals about a purchase, and about all that is a customer's.
CREATE INDEX approval_by_target ON approval (target, id);
CREATE INDEX approval_by_user ON approval (user_id, id);
GRANT INSERT (beside), UPDATE (withdrawn_by, withdrawn_at) ON approval TO ledgerd_service;

-- @after-judges

CREATE TRIGGER approval_proposal_is_judged BEFORE INSERT ON approval FOR EACH ROW EXECUTE FUNCTION judge_proposal();

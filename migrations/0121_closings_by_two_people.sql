-- @compatible-from 0105
-- A closing is carried out by another person than its proposer, at every door: a judge refuses others, as for accounts and payouts.

-- @after-judges

CREATE TRIGGER closing_proposal_is_judged BEFORE UPDATE ON closing_proposal
    FOR EACH ROW EXECUTE FUNCTION judge_closing_proposal();

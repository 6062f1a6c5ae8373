-- @compatible-from 0105
-- Whoever carries out a closing is another person than its proposer, at every door: as of accounts and payouts, a judge says so.

-- @after-judges

CREATE TRIGGER closing_proposal_is_judged BEFORE UPDATE ON closing_proposal
    FOR EACH ROW EXECUTE FUNCTION judge_closing_proposal();

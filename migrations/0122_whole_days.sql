-- @compatible-from 0105
-- Whether lots count whole days unless a setting says otherwise (docs/decisions/0202): not in a ledger from before, whose users
-- were told something else, but in every ledger that begins from now on.
ALTER TABLE ledger ADD COLUMN counts_whole_days boolean NOT NULL DEFAULT false;

-- The functions that credit purchases have two more arguments now: for which day the caller has counted. A process of the version
-- before leaves them out.
DROP FUNCTION IF EXISTS
    credit_purchases(
        bigint[], bigint[], text[], text[], text[], text[], text[], text[], bigint[], bigint[], bigint[], timestamptz[],
        timestamptz[], timestamptz[], text[], bigint[]),
    credit_purchase(
        bigint, bigint, text, text, text, text, text, text, bigint, bigint, bigint, timestamptz, timestamptz, timestamptz,
        text, bigint);
-- @after-judges
ALTER TABLE ledger ALTER COLUMN counts_whole_days SET DEFAULT true;

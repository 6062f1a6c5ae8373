-- @compatible-from 0071
-- Two open proposals about one object could both be approved, and both be carried out
-- (docs/decisions/0141-a-second-person.md). From now on one is open at a time; a binary of before fails when it stores
-- a second one.
--
-- Proposals of before stay as they are, because only people decide them. Of those that are open about one object, the
-- index counts the one that is approved, or the oldest; the others are its twins, and can be approved or declined. An
-- approval of what has changed since is refused.
--
-- The table is small: people write it. Its lock lasts from the first statement, so no proposal comes in between.
ALTER TABLE approval ADD COLUMN is_twin boolean NOT NULL DEFAULT false; -- open when the rule came, beside another one

ALTER TABLE approval DISABLE TRIGGER approval_is_judged; -- it allows decisions only
UPDATE approval SET is_twin = true
FROM (
    SELECT id, row_number() OVER (PARTITION BY act, target ORDER BY status, id) AS place
    FROM approval WHERE status IN ('approved', 'waiting')
) AS standing
WHERE approval.id = standing.id AND standing.place > 1;
ALTER TABLE approval ENABLE TRIGGER approval_is_judged;

CREATE UNIQUE INDEX approval_open_once ON approval (act, target)
    WHERE status IN ('waiting', 'approved') AND NOT is_twin;

-- @compatible-from 0105
-- What pages count is kept where it is written: how many captures a payout item covers, which lines are dismissed, and the sums of
-- a settlement file. The judges write them, so the service's role has no right to.

-- NULL: the payout is from before, and its captures are counted.
ALTER TABLE payout_item ADD COLUMN shares bigint;

-- Whether a person dismissed the row's payment, and the row is unmatched.
ALTER TABLE settlement_row ADD COLUMN is_dismissed boolean NOT NULL DEFAULT false;

-- Whether the file's sums are kept. Those of files from before are added up when they are shown.
ALTER TABLE settlement_file ADD COLUMN is_summed boolean NOT NULL DEFAULT false;
ALTER TABLE settlement_file ALTER COLUMN is_summed SET DEFAULT true;

-- How many rows of a settlement file are how far, and the sums of the settled ones: all parts of a file together. Each stripe
-- adds to a part of its own, so that none waits for another; a part alone can be below zero.
CREATE TABLE settlement_file_sum (
    file_id    bigint NOT NULL,
    part       bigint NOT NULL, -- the stripe that settled rows; -1: what else became of rows
    waiting    bigint NOT NULL,
    settled    bigint NOT NULL,
    unmatched  bigint NOT NULL,
    dismissed  bigint NOT NULL,
    refused    bigint NOT NULL,
    gross      bigint NOT NULL, -- of the settled rows, likewise the others
    fee        bigint NOT NULL,
    tax        bigint NOT NULL,
    net        bigint NOT NULL,
    PRIMARY KEY (file_id, part)
);
GRANT SELECT ON settlement_file_sum TO ledgerd_service;

-- @after-judges

CREATE TRIGGER settlement_row_follows_dismissal BEFORE UPDATE ON settlement_row
    FOR EACH ROW WHEN (NEW.status = 'unmatched' OR OLD.is_dismissed) EXECUTE FUNCTION follow_dismissal();
CREATE TRIGGER settlement_row_inserted_is_added_up AFTER INSERT ON settlement_row
    REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION add_up_settlement_rows();
CREATE TRIGGER settlement_row_updated_is_added_up AFTER UPDATE ON settlement_row
    REFERENCING OLD TABLE AS old_row NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION add_up_settlement_rows();

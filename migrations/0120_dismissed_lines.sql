-- @compatible-from 0105
-- The lines that were dismissed before 0117: its trigger says which of them are unmatched. By itself, for it locks lines only.
UPDATE settlement_row SET status = status
FROM settlement_dismissal AS dismissal
WHERE settlement_row.id = dismissal.row_id AND settlement_row.payment = dismissal.payment
    AND settlement_row.status = 'unmatched';

-- A payment that a gateway lists and that can't be read is named in the comparison, and no longer keeps it from going on.

ALTER TABLE reconciliation_item
    DROP CONSTRAINT reconciliation_item_kind_known,
    ADD CONSTRAINT reconciliation_item_kind_known CHECK (kind IN (
        'matched', 'paid_not_credited', 'credited_not_paid', 'amount_differs', 'cancelled_not_clawed_back',
        'refunded_not_cancelled', 'waiting', 'unreadable'));

-- @compatible-from 0162
-- What a gateway gave back of a payment in a foreign currency is booked also if it is worth no won, so that the next refund by us
-- tells the gateway what is left of the payment (docs/decisions/0230).
ALTER TABLE purchase_reversal
    DROP CONSTRAINT purchase_reversal_foreign_same_way,
    DROP CONSTRAINT purchase_reversal_goes_one_way,
    ADD CONSTRAINT purchase_reversal_foreign_same_way CHECK (
        foreign_amount <> 0 AND (foreign_amount > 0) = (amount >= 0)) NOT VALID,
    ADD CONSTRAINT purchase_reversal_goes_one_way CHECK (
        (amount > 0 OR amount = 0 AND foreign_amount IS NOT NULL)
            AND coins >= 0 AND bonus_coins >= 0 AND charged_coins >= 0
        OR amount < 0 AND coins <= 0 AND bonus_coins <= 0 AND charged_coins <= 0) NOT VALID;

-- A finding that was noted in won gets the amount and the currency that were paid.
GRANT UPDATE (currency) ON finding TO ledgerd_service;

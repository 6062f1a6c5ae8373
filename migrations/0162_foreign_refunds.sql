-- Refunds of payments in foreign currencies (docs/decisions/0230). A process from before would ask the gateway to cancel won in place of
-- cents, so none may serve this.

-- What the payer gets of a payment in a foreign currency, and what is kept of the value; amount, fee and value are its won at the rate of the
-- payment. NULL: it was paid in won.
ALTER TABLE refund
    ADD COLUMN foreign_amount bigint, -- in minor units of its currency
    ADD COLUMN foreign_fee bigint,
    ADD COLUMN foreign_currency text,
    ADD COLUMN foreign_balance bigint, -- what could be cancelled at the gateway when it was requested
    ADD CONSTRAINT refund_foreign_whole
        CHECK (num_nulls(foreign_amount, foreign_fee, foreign_currency, foreign_balance) IN (0, 4)) NOT VALID,
    ADD CONSTRAINT refund_foreign_amount_positive CHECK (foreign_amount > 0) NOT VALID,
    ADD CONSTRAINT refund_foreign_fee_not_negative CHECK (foreign_fee >= 0) NOT VALID,
    ADD CONSTRAINT refund_foreign_within_balance CHECK (foreign_amount <= foreign_balance - foreign_fee) NOT VALID,
    ADD CONSTRAINT refund_foreign_by_gateway CHECK (foreign_amount IS NULL OR method = 'gateway') NOT VALID,
    -- The tax-free part is in the payment's currency.
    DROP CONSTRAINT refund_tax_free_within_amount,
    ADD CONSTRAINT refund_tax_free_within_amount CHECK (
        tax_free IS NULL OR tax_free BETWEEN 0 AND coalesce(foreign_amount, amount) AND method = 'gateway') NOT VALID;

-- @compatible-from 0068
-- The tax-free part (면세) of what a gateway is asked to cancel. It is stored before the first request, so each later
-- request of the refund is the same (docs/vat.md, "Tax-free payments").

ALTER TABLE refund
    ADD COLUMN tax_free bigint, -- NULL: none is sent; the gateway takes the whole amount as taxable
    ADD CONSTRAINT refund_tax_free_within_amount CHECK (
        tax_free IS NULL OR tax_free BETWEEN 0 AND amount AND method = 'gateway') NOT VALID;
GRANT UPDATE (tax_free) ON refund TO ledgerd_service;

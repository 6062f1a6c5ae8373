-- @compatible-from 0068
-- A payment that both APIs of a gateway show is one payment (docs/decisions/0080-one-payment-in-two-apis.md). It was
-- refused under its second name, and was a finding. Such findings are resolved; the trigger records it.
--
-- Only open findings are read, by their index, and each looks its purchase up by its order. Problems that a purchase
-- does not end stay.
UPDATE finding SET resolved_at = now()
FROM purchase
WHERE finding.resolved_at IS NULL
    AND purchase.merchant_uid = finding.merchant_uid AND purchase.gateway <> finding.gateway
    AND purchase.amount = finding.amount AND purchase.currency = finding.currency
    AND abs(extract(epoch FROM purchase.paid_at - finding.paid_at)) < 2
    AND NOT finding.kinds && ARRAY[
        'refund_undecided', 'refunded_twice', 'paid_at_in_future', 'payment_disputed', 'dispute_unreadable'];

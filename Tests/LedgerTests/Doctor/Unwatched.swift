/// A column, or all of a table (`table.*`), in which the doctor finds no wrong value, and why that falsifies nothing.
struct Unwatched: Sendable {
    let name: String

    init(_ name: String, _: String) { self.name = name }

    func covers(_ column: String) -> Bool {
        name.hasSuffix("*") ? column.hasPrefix(name.dropLast()) : column == name
    }

    static let all = people + work + gateway + names + times

    /// What people write, decide or see: no entry follows from it without an act that is checked.
    private static let people = [
        Unwatched("accounting_policy.set_by", "who set it; an adjustment follows from its figures and its month"),
        Unwatched("accounting_policy.set_at", "when it was set; its month tells from when on it holds"),
        Unwatched("adjustment.adjusted_by", "who booked it"),
        Unwatched("revaluation.revalued_by", "who booked it"),
        Unwatched(
            "approval.*", "the second person sees what it says before it is done; the act is an entry, under its key"),
        Unwatched("audit.*", "the record of what people did in the console; nothing is computed from it"),
        Unwatched("audit_outcome.*", "the same"),
        Unwatched("balance_alert.*", "at which coins there is an event; the events are compared with the entries"),
        Unwatched(
            "closed_period.closed_at", "when it was closed; until when is in its event, and binds all later entries"),
        Unwatched(
            "closing_proposal.*", "who proposed a closing, and who carried it out; the closing is in its own table"),
        Unwatched("console_session.*", "who is signed in, for some hours; who can write it can sign in"),
        Unwatched("custody_balance.*", "what a person entered of another company's books; there is no second record"),
        Unwatched("customer_note.*", "free text"),
        Unwatched("difference_act.*", "who works on a difference, and notes"),
        Unwatched("dispute_decision.reason", "free text"),
        Unwatched(
            "dispute_decision.decided_by", "who decided; that somebody did is compared with the recorded outcome"),
        Unwatched("finding.*", "what people are to look at; the next comparison with the gateway finds it again"),
        Unwatched(
            "finding_act.*",
            "what people did with findings; all that follows is whether a store's word still gives anything back"),
        Unwatched("payout.note", "free text"),
        Unwatched("payout.asked_cut_off", "what was asked for; the cut-off that holds is in the payout's events"),
        Unwatched("payout_decision.reason", "free text"),
        Unwatched("product.title", "free text"),
        Unwatched("product.active_until", "until when something is for sale; what was sold is an order or a purchase"),
        Unwatched(
            "product_price.*", "for what a product is sold in a currency; what was sold is an order or a purchase"),
        Unwatched(
            "provider_account.*",
            "where the bank is told to pay; two people agree on it, and no entry has or follows it"),
        Unwatched("provider_terms.set_by", "who set them"),
        Unwatched("provider_terms.set_at", "when they were set; the number of the terms tells which ones hold"),
        Unwatched("rate.*", "what was paid at one has its worth; at the others nothing is booked"),
        Unwatched("foreign_currency.opened_at", "when its accounts were opened"),
        Unwatched("rate_proposal.*", "who proposed a rate, and who approved it; the rate is in its own table"),
        Unwatched("store_product.*", "what a store's product is of ours; what was sold is a purchase and its lots"),
        Unwatched(
            "store_account.*", "whom a store's purchase names; it counts when the purchase is credited, and not after"),
        Unwatched("store_consent.*", "whether a store may be told of a user's coins; no entry has or follows it"),
        Unwatched("refund.refund_account", "where a pending refund's money goes, as the user said; it is erased then"),
    ]

    /// What services have to do: they look at the books again before they do it.
    private static let work = [
        Unwatched(
            "endpoint.*", "where events are sent to; what they tell is read from the books, and is in the console"),
        Unwatched("endpoint_attempt.*", "what was sent and answered; nothing is computed from it"),
        Unwatched("endpoint_failure.failed_at", "when it was given up"),
        Unwatched("endpoint_failure.endpoint_id", "a replay sends it to whom it was not sent; receivers skip repeats"),
        Unwatched("endpoint_failure.seq", "the same"),
        Unwatched("endpoint_lane.*", "which events wait; what happened is in the events and the journal"),
        Unwatched("endpoint_reader.*", "the same"),
        Unwatched(
            "event.snapshot", "what was committed when events were numbered; an event that it misses is found later"),
        Unwatched("occurrence.transaction_id", "its order among events"),
        Unwatched("forgetting.*", "who is to be forgotten; of who was, the new id is compared with all tables"),
        Unwatched("forgotten_payment.*", "keyed hashes of names: a payment that was credited is not credited again"),
        Unwatched("order_expiry.*", "until when events of expired orders were recorded"),
        Unwatched("receipt_refusal.*", "how many receipts of a user were refused lately"),
        Unwatched("receipt_retry.*", "a receipt that waits: its payment is asked of the gateway before it credits"),
        Unwatched("reconciliation_item.*", "a comparison is a report on the books, and can be made again"),
        Unwatched("reconciliation_run.*", "the same"),
        Unwatched("refund.asked_at", "when it was last asked for; the gateway's balance stops a second cancellation"),
        Unwatched("refund.attempts", "how often it was asked for"),
        Unwatched("refund.lease_holder", "which process works on it"),
        Unwatched("refund.next_attempt_at", "when it is asked for again"),
        Unwatched("refund.reason", "why a pending refund is asked for again"),
        Unwatched("campaign.*", "what people decided about it; its coins are in its grants and their sums"),
        Unwatched("campaign_run.*", "which process gives or voids its coins; what it has done is in the grants"),
        Unwatched("campaign_user.*", "who is to get coins; who got them is in the grants"),
        Unwatched(
            "refund_question.*", "what a store asked and was told; what it gave back is asked of it and clawed back"),
        Unwatched(
            "store_delivery.*", "whether a store was told of a purchase; what was sold is the purchase and its lots"),
        Unwatched(
            "notification_walk.*", "how far the gateways' notifications were walked; each is asked of the gateway"),
        Unwatched("top_up.*", "what a user agreed to; what was charged is an order and its purchase"),
        Unwatched("top_up_charge.*", "its order and its purchase are compared with it; no entry has it"),
        Unwatched("transaction_tally.*", "empty outside of a transaction that writes entries; it is judged at its end"),
        Unwatched("webhook_event.*", "what a webhook tells is asked of the gateway before it moves anything"),
    ]

    /// What the gateway or a bank says: there is no second record in the books; reconciliation compares it.
    private static let gateway = [
        Unwatched("debt_bank_payment.bank_reference", "what the bank's statement says"),
        Unwatched("dispute.gateway_id", "the gateway's name of it"),
        Unwatched("payment_name.gateway", "the API in which a payment has a further name; reconciliation compares it"),
        Unwatched(
            "payment_name.imp_uid", "the gateway's further name of a payment; its order and purchase are compared"),
        Unwatched("provider_repayment.bank_reference", "what the bank's statement says"),
        Unwatched("purchase.payment_id", "V2's name of the payment besides imp_uid, by which it is found too"),
        Unwatched(
            "settlement_dismissal.*", "why a person says that a line is not ours; it has no part in what is booked"),
        Unwatched("settlement_columns.*", "what people call the columns of files; each import says them again"),
        Unwatched("settlement_dismissal_check.*", "who else looked at a dismissal"),
        Unwatched("settlement_file.*", "which file a line came from; the amounts of booked lines are compared"),
        Unwatched("settlement_file_sum.part", "which of a file's sums a batch added to; all are added up together"),
        Unwatched("settlement_row.file_id", "which file a line came from; the amounts of booked lines are compared"),
        Unwatched("settlement_row.foreign_net", "a line is checked by it before it is booked; its won are compared"),
        Unwatched("settlement_row.line", "the same"),
        Unwatched("settlement_row.paid_out_on", "the day in the file; paid_out_at is that of the entry"),
        Unwatched("settlement_row.place", "tells apart equal lines of a day that were read before"),
    ]

    /// Names that only callers know, and texts that are shown as they are.
    private static let names = [
        Unwatched(
            "entry_kind.*", "what the judges ask of kinds: a migration alone writes it, and no act depends on it"),
        Unwatched("grant_counted.key", "the caller's word; the day's sum is compared"),
        Unwatched("hold_lot.place", "which of a hold's lots is captured first; what was taken of each is compared"),
        Unwatched("idempotency.caller", "whose word the key is"),
        Unwatched("idempotency.key", "the caller's word: nobody else knows it"),
        Unwatched("judge_file.*", "the doctor refuses to examine a schema of other functions, before its checks"),
        Unwatched("migration.*", "the doctor refuses to examine a schema of other migrations, before its checks"),
        Unwatched(
            "order.idempotency_key", "the caller's word: a repeat would make a second order, which takes no money"),
        Unwatched("payout.key", "the caller's word: a repeat finds nothing that is owed"),
    ]

    /// When something was stored that is in the books with a time of its own, or has no part in them.
    private static let times = [
        Unwatched("chain_link.linked_at", "when the link was stored"),
        Unwatched("adjustment_basis.measured_at", "when it was measured; what it saw is in its snapshot"),
        Unwatched(
            "revaluation_basis.measured_at", "when it was measured; what it saw is in its snapshot and its last rate"),
        Unwatched(
            "revaluation_basis.measured_from", "what it continues; what both come to is added up from all postings"),
        Unwatched("revaluation_basis.zone", "of the month, whose end is compared with the entries"),
        Unwatched(
            "claw_back_reversal.told_at",
            "when a store signed it; that what it took back came back is compared with the entry"),
        Unwatched("dispute_win.recorded_at", "when it was stored; that there is a win is compared with the dispute"),
        Unwatched("dispute_win.resolved_at", "when it was by the gateway's clock; the same"),
        Unwatched("dispute.recorded_at", "when it was stored; when it began is in its event"),
        Unwatched(
            "ledger.counts_whole_days", "whether it began before lots counted whole days; when each ends is in it"),
        Unwatched("ledger.created_at", "when the ledger was created"),
        Unwatched("occurrence.recorded_at", "when it was recorded; when it happened is in it"),
        Unwatched("payment_name.noted_at", "when it was stored"),
        Unwatched("payout.proposed_at", "when it was proposed; what it covers follows from the cut-off"),
        Unwatched("payout_decision.decided_at", "when it was stored; when the bank paid is in the payout's event"),
        Unwatched(
            "seal.public_key", "who proves the books by a seal has its file, and trusts a key from elsewhere"),
        Unwatched("seal.signature", "the same: one that is wrong proves nothing"),
        Unwatched("seal.sealed_at", "when it was stored; the sealed statement has its time"),
    ]
}

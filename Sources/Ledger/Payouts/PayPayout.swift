package import Foundation
import Postgres

/// Books that the bank has paid an approved payout, with one entry for each provider and stripe.
///
/// ```
/// Dr payable:<provider>  amount / Cr bank                     amount less tax
///                                 Cr tax:withholding-payable  tax
/// ```
/// If more of a stripe's captures came back than the payout covers, its entry has the opposite sides. The entries are
/// effective when the bank paid, but not after the record.
package struct PayPayout: KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package let payoutID: Int64
    /// When the bank paid.
    package let paidAt: Date
    package let bankReference: String
    /// The entries to post.
    ///
    /// They follow from the payout, so they are not part of the ``fingerprint``.
    let parts: [PayoutPart]

    /// The caller, because the act is of no user: it touches the stripes of its ``parts``.
    package var user: UserID { idempotencyKey.caller }
}

/// The result of booking a payout.
package struct PayoutPaid: Sendable, Equatable, Codable {
    package let payoutID: Int64
    /// The number of entries.
    package let entries: Int64
    /// What the bank paid.
    package let amount: Int64
    /// The taxes that were withheld.
    package let withheld: Int64
}

// MARK: - Planning

extension PayPayout {
    package var touches: Touches { Touches(payout: payoutID, payoutParts: parts) }

    package var mostIDs: Int { parts.count * 2 }

    package func plan(on books: inout Plan) -> Answer<PayoutPaid> { books.payPayout(self) }
}

extension Plan {
    fileprivate mutating func payPayout(_ act: PayPayout) -> Answer<PayoutPaid> {
        guard let payout = payouts.payout(act.payoutID) else { return .refused(.noSuchPayout) }
        // Its parts stay when it is withdrawn, so the status decides.
        guard payout.status == .approved else { return .refused(.payoutNotApproved(payout.status)) }
        guard believable(act.paidAt) == act.paidAt, isPlausible(act.paidAt, since: payout.cutOff) else {
            return .refused(.implausiblePaymentDate)
        }
        payouts.pay(
            act, entries: act.parts.map { part in PayoutEntry(journalEntryID: post(part, of: act), part: part) })
        let withheld = act.parts.reduce(0) { $0 + $1.tax }
        return .done(
            PayoutPaid(
                payoutID: act.payoutID, entries: Int64(act.parts.count),
                amount: act.parts.reduce(-withheld) { $0 + $1.amount }, withheld: withheld))
    }

    private mutating func post(_ part: PayoutPart, of act: PayPayout) -> Int64 {
        let payable = openPayable(of: part.provider, in: part.stripe)
        return post(
            .payout, reference: "payout:\(act.payoutID)", reason: act.bankReference,
            effectiveAt: min(act.paidAt, recordedAt), in: part.stripe,
            [
                Line(account: payable, side: part.amount > 0 ? .debit : .credit, amount: abs(part.amount)),
                credit(.bank, part.amount - part.tax, in: part.stripe),
                credit(.withholding, part.tax, in: part.stripe),
            ])
    }

    /// A line that credits an account, or debits it if the amount is negative.
    private func credit(_ account: SystemAccount, _ amount: Int64, in stripe: Stripe) -> Line {
        Line(account: .system(account, stripe), side: amount < 0 ? .debit : .credit, amount: abs(amount))
    }
}

// MARK: - How it is recorded under its key

extension PayPayout {
    package static let name = "payout"
    package static let successName = "payoutPaid"

    package var fingerprint: Fingerprint {
        Fingerprint(Self.name, String(payoutID), String(paidAt.microsecondsSince1970), bankReference)
    }

    package static func journalEntryID(of success: PayoutPaid) -> Int64? { nil }
}

// MARK: - Facts

/// The entry of a part of a payout.
struct PayoutEntry: Sendable, Equatable {
    let journalEntryID: Int64
    let part: PayoutPart
}

/// A plan's payouts.
struct PlannedPayouts: Sendable {
    private struct Payment: Sendable {
        let act: PayPayout
        let entries: [PayoutEntry]
    }

    private var states: [Int64: PayoutState]
    private var payments: [Payment] = []

    init(_ payouts: [PayoutState]) {
        states = Dictionary(payouts.map { ($0.id, $0) }) { first, _ in first }
    }

    func payout(_ id: Int64) -> PayoutState? { states[id] }

    /// Notes that a payout is paid.
    ///
    /// Later acts of the batch see it.
    mutating func pay(_ act: PayPayout, entries: [PayoutEntry]) {
        states[act.payoutID]?.status = .paid
        payments.append(Payment(act: act, entries: entries))
    }

    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        touches.payouts.isEmpty ? [] : [PayoutState.lock(touches.payouts).into(\.payouts)]
    }

    /// The decision comes first: entries are checked against a paid payout.
    var facts: [PostgresQuery<Int>] {
        payments.flatMap { payment in
            [Self.insert(payment.act), Self.insertEntries(payment.entries, payment.act.payoutID)]
        }
    }

    private static func insert(_ act: PayPayout) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO payout_decision (payout_id, decision, decided_by, paid_at, bank_reference)
            VALUES ($1, 'paid', $2, $3, $4)
            """,
            [act.payoutID, act.idempotencyKey.caller.rawValue, act.paidAt, act.bankReference])
    }

    private static let insertEntries = BulkInsert<PayoutEntry>(
        into: "payout_entry",
        [
            .init("journal_entry_id", \.journalEntryID), .init("provider", \.part.provider),
            .init("stripe", \.part.stripe), .init("amount", \.part.amount), .init("tax", \.part.tax),
        ],
        and: ["payout_id": "$6"])
}

/// What a plan needs to know of a payout.
struct PayoutState: Sendable, Equatable {
    let id: Int64
    let cutOff: Date
    var status: Payout.Status

    /// The payouts with these ids, locked until the commit, so that none is withdrawn meanwhile.
    static func lock(_ ids: [Int64]) -> PostgresQuery<[PayoutState]> {
        PostgresQuery("SELECT id, cut_off, status FROM lock_payouts($1)", [ids]) { row in try row.make(PayoutState.init)
        }
    }
}

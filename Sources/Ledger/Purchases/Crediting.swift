import Foundation
import Postgres

/// A batch of purchases that a function of the database credits: it decides what the plan would, in one call
/// (docs/decisions/0199).
struct Crediting: Sendable {
    /// The consecutive ids of an act: its purchase, its entry, its lots of paid and of bonus coins, and the wallets that may
    /// have to be opened.
    static let idsOfAct: Int64 = 6

    private let acts: [CreditPurchase]
    private let ids: [Int64]
    private let stripes: [Int64]
    private let vatSettings: VATSettings
    /// When whole days end, by their number: time zones are asked once for each, and not for each lot.
    private let ends: [Int64: Date]
    /// When the database must credit, so that lots end as they would in the plan: after the first moment, and at the second
    /// at the latest; nil: whenever.
    private let span: (after: Date?, until: Date?)

    /// The acts, if all are purchases of different payments and orders, and none is a store's, in a foreign currency, or was
    /// given back in part; nil: they must be planned.
    ///
    /// A purchase of which the batch has two is a repeat or a clash.
    static func purchases(among acts: [any Act]) -> [CreditPurchase]? {
        var purchases: [CreditPurchase] = []
        purchases.reserveCapacity(acts.count)
        for act in acts {
            guard let purchase = act as? CreditPurchase, purchase.cancelledAmount == 0, purchase.foreign == nil,
                SystemAccount.receivable(of: purchase.payment.gateway) == .gatewayReceivable
            else { return nil }
            purchases.append(purchase)
        }
        guard purchases.count > 1 else { return purchases }
        let payments = Set(purchases.map { GatewayKey(gateway: $0.payment.gateway, id: $0.payment.paymentID) })
        let orders = Set(purchases.map { ExactText($0.payment.merchantUID) })
        return payments.count == purchases.count && orders.count == purchases.count ? purchases : nil
    }

    /// - Parameters:
    ///   - ids: there are enough of them.
    ///   - now: by the clock of the process. If the database credits on another day, and days are counted, it refuses.
    init(
        _ acts: [CreditPurchase], ids: inout RecordIDs, among stripes: Int64, vatSettings: VATSettings,
        coinDays: CoinDays, at now: Date
    ) {
        self.acts = acts
        self.ids = acts.map { _ in ids.nextRow(of: Self.idsOfAct) }
        self.stripes = acts.map { Stripe(of: $0.user, among: stripes).number }
        self.vatSettings = vatSettings
        let days = Set(acts.flatMap { [$0.expiresAt?.days, $0.bonusExpiresAt?.days] }.compactMap(\.self))
        ends = days.reduce(into: [:]) { $0[$1] = coinDays.end(ofDays: $1, from: now) }
        span = days.isEmpty ? (nil, nil) : coinDays.span(of: now)
    }

    /// The call, which answers each act in its order.
    ///
    /// One act has a function of its own, which takes half the time.
    var call: PostgresQuery<[Answer<Credited>]> {
        acts.count == 1 ? callForOne(acts[0], id: ids[0], stripe: stripes[0]) : callForMany
    }

    /// Refuses what a user paid who was forgotten; nil: nobody was, or the call does it, as that of one act.
    ///
    /// It comes after the call. Names that the call found free may have become so just before, and then the hashes are there.
    var check: PostgresQuery<Int>? {
        let digests = acts.flatMap(\.digests)
        return acts.count == 1 || digests.isEmpty ? nil : .affected("SELECT refuse_forgotten_payments($1)", [digests])
    }

    /// The coins and won that the entries move.
    var turnover: Turnover {
        var turnover = Turnover()
        for act in acts {
            // Its VAT moves no coins, and none of the won that are counted.
            let lines = PurchaseRule.lines(of: act, in: .first, vat: nil) { .place($0 == .paid ? 0 : 1) }
            turnover.add(.purchase, lines) { reference in
                guard case .place(let place) = reference else { return nil }
                return place == 0 ? .paid : .bonus
            }
        }
        return turnover
    }

    private var callForMany: PostgresQuery<[Answer<Credited>]> {
        let rows = PostgresQuery<[Row]>(
            """
            SELECT paid_at, credited_at, paid, bonus, held
            FROM credit_purchases(
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
            """,
            [
                ids, stripes, all(\.user.rawValue), all(\.payment.gateway), all(\.payment.paymentID),
                all(\.payment.merchantUID), all(\.payment.merchantPaymentID), all(\.product), all(\.price.amount),
                all(\.coins.count), all { $0.bonusCoins?.count ?? 0 }, all(\.paidAt),
                all { end(of: $0.expiresAt) }, all { end(of: $0.bonusExpiresAt) }, all { rule(of: $0) }, all(\.taxFree),
                span.after, span.until,
            ])
        return rows.map { [acts, ids] rows in
            guard rows.count == acts.count else {
                throw LedgerError.unexpected("the database has \(rows.count) answers to \(acts.count) purchases")
            }
            return acts.indices.map { Self.answer(to: acts[$0], id: ids[$0], rows[$0]) }
        }
    }

    private func callForOne(_ act: CreditPurchase, id: Int64, stripe: Int64) -> PostgresQuery<[Answer<Credited>]> {
        let digests: PostgresParameters = act.digests.isEmpty ? [] : [act.digests]
        // What is selected is evaluated after what it is selected from, and reads with a snapshot of its own. It has no value.
        return PostgresQuery<Row>.one(
            """
            SELECT paid_at, credited_at, paid, bonus_left, held
            FROM (
                SELECT *\(digests.isEmpty ? "" : ", refuse_forgotten_payments($19)")
                FROM credit_purchase(
                    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
            ) AS done
            """,
            [
                id, stripe, act.user.rawValue, act.payment.gateway, act.payment.paymentID, act.payment.merchantUID,
                act.payment.merchantPaymentID, act.product, act.price.amount, act.coins.count,
                act.bonusCoins?.count ?? 0, act.paidAt, end(of: act.expiresAt), end(of: act.bonusExpiresAt),
                rule(of: act), act.taxFree, span.after, span.until,
            ] + digests
        ).map { row in [Self.answer(to: act, id: id, row)] }
    }

    /// A value of each act, as one array.
    private func all<Value: PostgresArrayElement>(_ value: (CreditPurchase) -> Value) -> any PostgresEncodable {
        acts.map(value)
    }

    private func end(of expiry: CoinExpiry?) -> Date? {
        guard let expiry else { return nil }
        return expiry.days.flatMap { ends[$0] } ?? expiry.moment
    }

    /// The rule of VAT of the paid coins, as the plan has it; nil: the ledger books no VAT.
    private func rule(of act: CreditPurchase) -> String? { vatSettings.isBooked ? act.vat.rawValue : nil }

    private static func answer(to act: CreditPurchase, id: Int64, _ row: Row) -> Answer<Credited> {
        let purchase = Purchase(
            id: id, status: .credited, user: act.user, payment: act.payment, product: act.product,
            amount: act.price.amount, currency: act.price.currency, coins: act.coins.count,
            bonusCoins: act.bonusCoins?.count ?? 0, refundedAmount: 0, paidAt: row.paidAt,
            creditedAt: row.creditedAt, journalEntryID: id + 1, taxFree: act.taxFree)
        let balance = Balance(user: act.user) { account in
            switch account {
            case .paid: row.paid
            case .bonus: row.bonus
            case .heldPaid: row.held
            // The row has both kinds of held coins in one sum; who owes coins is not credited so.
            case .heldBonus, .debt: 0
            }
        }
        return .done(Credited(purchase: purchase, balance: balance))
    }
}

extension Crediting {
    /// What a function answers of an act.
    fileprivate struct Row: PostgresReadable {
        let paidAt: Date
        let creditedAt: Date
        /// The coins in the wallet after the act.
        let paid: Int64
        let bonus: Int64
        /// The coins on hold.
        let held: Int64

        static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Row {
            try row.make(at: &column, Row.init)
        }
    }
}

extension PostgresError {
    /// Whether the database's function refuses the purchases for what they are, or for what there is already: they are
    /// planned, which answers repeats, refuses what clashes, and pays debts.
    ///
    /// Other errors have the remedies of every batch.
    var meansPlanning: Bool {
        guard code == .server else { return false }
        return remedy == .separate || sqlState == .uniqueViolation
    }
}

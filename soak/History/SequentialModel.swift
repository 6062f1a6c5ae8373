import Foundation
import LedgerTestSupport

/// Replays a user's entries, one after the other, in a wallet that shares no code with the ledger.
struct SequentialModel {
    private var wallet = NaiveWallet()
    /// Which of the wallet's lots a grant is, by its reference.
    private var grants: [String: Int] = [:]
    private let purchases: [Int64: Books.Purchase]
    private let refunds: [Int64: Books.Refund]
    private let clawBacks: [Int64: Int64]
    private let wholeVoids: Set<Int64>
    /// The entries of each user.
    private let owned: [String: [Books.Entry]]

    init(_ books: Books, _ owned: [String: [Books.Entry]]) {
        purchases = Dictionary(books.purchases.map { ($0.id, $0) }) { first, _ in first }
        refunds = Dictionary(books.refunds.map { ($0.id, $0) }) { first, _ in first }
        clawBacks = books.clawBacks
        wholeVoids = books.wholeVoids
        self.owned = owned
    }

    /// The first difference between the books and the model; nil: there is none.
    mutating func firstDifference(in history: UserHistory) -> String? {
        for (place, entry) in history.entries.enumerated() {
            if let refusal = apply(entry) {
                return "entry \(entry.id) (\(entry.kind) of \(entry.reference)) is not possible: \(refusal)"
            }
            // The model pays debts at once; in the books it is the next entry.
            let isBeforePayment =
                place + 1 < history.entries.count && history.entries[place + 1].kind == "debt_payment"
            let expected = Coins(paid: wallet.paid, bonus: wallet.bonus, held: wallet.held, debt: wallet.debt)
            if !isBeforePayment, history.states[place + 1] != expected {
                return "after entry \(entry.id) (\(entry.kind) of \(entry.reference)): "
                    + "\(history.states[place + 1]), expected \(expected)"
            }
        }
        return nil
    }

    /// - Returns: why the act is impossible; nil: it was applied.
    private mutating func apply(_ entry: Books.Entry) -> String? {
        let now = entry.recordedAt
        switch entry.kind {
        case "purchase":
            guard let purchase = purchases[entry.number] else { return "there is no such purchase" }
            wallet.purchase(
                entry.reference, coins: purchase.coins, bonus: purchase.bonus, won: purchase.amount, at: now)
        case "grant":
            grants[entry.reference] = wallet.lots.count
            wallet.grant(coins: entry.change(of: "wallet:bonus"), expiresAt: nil, at: now)
        case "grant_void":
            guard let place = grants[entry.reference] else { return "there is no such grant" }
            return wallet.voidGrant(place, wholeVoids.contains(entry.id) ? nil : entry.taken, at: now)
        case "gift_sent":
            // Those of purchases can't be given: SoakedService.
            return wallet.give(entry.taken, ofPurchases: false, at: now) == nil ? "too few coins to give" : nil
        case "gift_received": wallet.grant(coins: entry.change(of: "wallet:bonus"), expiresAt: nil, at: now)
        case "merge_sent": wallet = NaiveWallet()
        case "merge_received": return absorb(String(entry.reference.dropFirst("merge:".count)))
        case "spend": return wallet.spend(entry.taken, at: now) ? nil : "insufficient coins"
        case "hold":
            return wallet.hold(entry.reference, entry.taken, until: .distantFuture, at: now)
                ? nil : "insufficient coins"
        case "capture":
            return wallet.capture(entry.reference, entry.released, for: nil, isFinal: false, at: now)
        case "void": return wallet.void(entry.reference, at: now)
        case "refund_hold":
            guard let refund = refunds[entry.number] else { return "there is no such refund" }
            return wallet.beginRefund(
                entry.reference, of: "purchase:\(refund.purchase)", refund.coins, feePercent: 0, at: now)
        case "refund": wallet.completeRefund(entry.reference)
        case "refund_release": wallet.releaseRefund(entry.reference, at: now)
        case "claw_back":
            guard let amount = clawBacks[entry.id] else { return "it takes nothing" }
            wallet.clawBack(entry.reference, cancelled: amount + returned(entry.reference), at: now)
        case "debt_payment": wallet.payOwed(at: now)  // what a merge brought; else it is paid
        default: return "the model does not know this kind"
        }
        return nil
    }

    /// Takes over what the user who is merged has.
    private mutating func absorb(_ former: String) -> String? {
        var other = self
        (other.wallet, other.grants) = (NaiveWallet(), [:])
        for entry in UserHistory(user: former, entries: owned[former] ?? []).entries where entry.kind != "merge_sent" {
            if let refusal = other.apply(entry) { return "of \(former), entry \(entry.id) is not possible: \(refusal)" }
        }
        for (reference, place) in other.grants { grants[reference] = place + wallet.lots.count }
        wallet.absorb(other.wallet)
        return nil
    }

    /// The money of a purchase that has gone back, or is about to.
    private func returned(_ name: String) -> Int64 {
        let pending = wallet.refunds.values.first { $0.purchase == name && $0.status == "pending" }
        return (wallet.purchases[name]?.refundedAmount ?? 0) + (pending.map { $0.value - $0.fee } ?? 0)
    }
}

extension Books.Entry {
    /// The number in the reference.
    var number: Int64 { reference.split(separator: ":").last.flatMap { Int64($0) } ?? 0 }

    /// The change of the user's accounts whose codes begin so.
    func change(of prefix: String) -> Int64 {
        lines.reduce(0) { $0 + ($1.account.hasPrefix(prefix) ? $1.change : 0) }
    }

    /// The coins that left the wallet.
    var taken: Int64 { -change(of: "wallet:") }
    /// The coins that are no longer held.
    var released: Int64 { -change(of: "held:") }
}

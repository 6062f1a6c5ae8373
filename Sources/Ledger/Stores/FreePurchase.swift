package import Foundation

/// A purchase in a store that cost nothing, as with a code of an offer: bonus coins, granted once for each of the store's transactions.
///
/// It is no ``Purchase``: it has no won, so nothing is owed, settled or refunded. What the store takes back is voided as far as it is
/// left (``VoidGrant``), and never owed; what it gives again is granted again.
///
/// The grant has the transaction as its key, and what follows the same with a number. Of two attempts that have seen the same, one
/// wins.
package struct FreePurchase: Sendable, Equatable {
    /// The grant, and those of what was given again, oldest first.
    package let grants: [VoidableGrant]
    /// Who has it now.
    package let user: UserID
    /// The coins that were voided because the store took them back, less those that were given again.
    package let takenBack: Int64
    let payment: PaymentIdentity
    /// How many acts followed the grant.
    let steps: Int

    /// The journal entry of the grant.
    package var grantID: Int64 { grants[0].lot.journalEntryID }
    package var coins: Int64 { grants[0].lot.coins }
    package var expiresAt: Date? { grants[0].lot.expiresAt }

    /// What became of the coins, for a store that asks; those that were voided do not count.
    package var use: PurchasedCoins {
        PurchasedCoins(
            coins: grants.reduce(0) { $0 + $1.lot.coins - $1.voided },
            unused: grants.reduce(0) { $0 + $1.lot.remaining + $1.lot.held },
            expired: grants.reduce(0) { $0 + $1.lot.expired })
    }
}

// MARK: - Giving

extension FreePurchase {
    /// The grant of a free purchase.
    ///
    /// - Returns: nil if the store's names can't be a key.
    package static func grant(
        of payment: PaymentIdentity, to user: UserID, _ coins: Coins, expiresAt: Date?
    ) -> Grant? {
        guard let key = key(of: payment, step: 0) else { return nil }
        return Grant(
            idempotencyKey: key, user: user, coins: coins, reason: reason("free purchase", payment),
            issuer: payment.gateway, expiresAt: expiresAt)
    }

    /// Such as `free purchase app-store 2000000123456789`; at Google Play also with the order's id, which buyers have in a mail.
    private static func reason(_ what: String, _ payment: PaymentIdentity) -> String {
        let name =
            payment.paymentID.utf8.count <= longestName
            ? "\(payment.gateway) \(payment.paymentID)" : payment.merchantUID
        return "\(what) \(name)" + (payment.merchantPaymentID.map { ", order \($0)" } ?? "")
    }

    /// A longer token of Google Play is named by its hash.
    private static let longestName = 200

    /// The most acts that follow a grant: no store takes back so often.
    static let mostSteps = 20

    /// - Parameter step: 0: the grant.
    static func key(of payment: PaymentIdentity, step: Int) -> CallerKey? {
        guard let store = UserID(rawValue: payment.gateway + "-free") else { return nil }
        return CallerKey(step == 0 ? payment.merchantUID : "\(step):\(payment.merchantUID)", of: store)
    }
}

// MARK: - What the store takes back, and gives again

/// What makes a free purchase agree with the store.
package enum FreePurchaseChange: Sendable, Hashable {
    case takeBack(VoidGrant)
    case giveAgain(Grant)

    package static func == (left: Self, right: Self) -> Bool { left.key == right.key }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: CallerKey {
        switch self {
        case .takeBack(let act): act.idempotencyKey
        case .giveAgain(let act): act.idempotencyKey
        }
    }
}

extension FreePurchase {
    /// All of it, in thousandths of a percent.
    private static let whole: Int64 = 100_000

    /// What is to be done now; nil: nothing, or nothing is left to take.
    ///
    /// - Parameters:
    ///   - part: the part that the store took back, in thousandths of a percent.
    ///   - mayFall: whether a smaller part than before says that the store gave it again; elsewhere it is an older answer.
    package func change(toPart part: Int64, mayFall: Bool, at now: Date) -> FreePurchaseChange? {
        guard let key = Self.key(of: payment, step: steps + 1), steps < Self.mostSteps else { return nil }
        let due = due(part)
        if due > takenBack {
            guard let grant = grants.last(where: { $0.available > 0 }) else { return nil }
            let isWhole = part >= Self.whole && due - takenBack >= grant.available
            return .takeBack(
                VoidGrant(
                    idempotencyKey: key, of: grant.lot,
                    coins: isWhole ? nil : Coins(min(due - takenBack, grant.available)),
                    reason: Self.reason("taken back by the store:", payment)))
        }
        guard mayFall, let coins = Coins(takenBack - due), expiresAt.map({ $0 > now }) ?? true else { return nil }
        return .giveAgain(
            Grant(
                idempotencyKey: key, user: user, coins: coins,
                reason: Self.reason("given again by the store:", payment), issuer: payment.gateway,
                expiresAt: expiresAt))
    }

    /// Whether the store took back coins that are on hold: they can be voided when their hold has ended.
    package func isOnHold(ofPart part: Int64) -> Bool { due(part) > takenBack && grants.contains { $0.lot.held > 0 } }

    /// The coins of a part, rounded to the nearest: a store writes one of three pieces as 33.333 %.
    private func due(_ part: Int64) -> Int64 {
        let share = Int128(coins) * Int128(min(part, Self.whole)) * 2
        return Int64((share + Int128(Self.whole)) / (Int128(Self.whole) * 2))
    }
}

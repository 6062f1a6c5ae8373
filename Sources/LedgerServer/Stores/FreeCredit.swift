import CivilTime
import Foundation
import Ledger
import PGVerifier
import Timing

/// What a purchase gave that a store sold for nothing.
struct FreeCredit: Sendable {
    let grantID: Int64
    let coins: Int64
    /// Nil: never.
    let expiresAt: Date?
    /// Who has it.
    let user: UserID
    let balance: Balance

    /// The result of giving it.
    enum Given: Sendable {
        case given(FreeCredit, isRepeat: Bool)
        /// It was given to a user who was forgotten.
        case toNobody
        case refused(Refusal)
    }
}

extension ReceiptCrediter {
    /// The type of the event that has the store told that a free purchase is delivered.
    static let freeGiven = "ledgerd.free_given"

    /// What the books have given of a store's purchase that cost nothing; nil: nothing.
    func findFree(_ payment: PaymentIdentity) async throws(LedgerError) -> FreeCredit? {
        guard let free = try await ledger.freePurchases.find(of: payment) else { return nil }
        return try await settled(free, payment)
    }

    /// Gives the coins of a store's purchase that cost nothing, once, whoever presents it.
    func giveFree(
        _ coins: Coins, until expiresAt: Date?, for payment: PaymentIdentity, to user: UserID
    ) async throws(LedgerError) -> FreeCredit.Given {
        guard let grant = FreePurchase.grant(of: payment, to: user, coins, expiresAt: expiresAt) else {
            throw .unexpected("the names of a store's purchase can't be a key")
        }
        switch try await ledger.freePurchases.give(grant, of: payment) {
        case .given(let free, let isRepeat): return .given(try await settled(free, payment), isRepeat: isRepeat)
        case .toNobody: return .toNobody
        case .refused(let refusal): return .refused(refusal)
        }
    }

    /// Does what follows the grant: each repeat and each review do it too, so that a process that ends in between leaves nothing
    /// undone.
    ///
    /// The finding of a purchase that waited is resolved, and the worker of events is asked to tell the store.
    func followFree(_ payment: PaymentIdentity) async throws(LedgerError) {
        let day = CivilDate(of: Time.current.now, in: .gmt).description
        try await ledger.freePurchases.note(payment, on: day)
        try await ledger.findings.resolve(under: payment)
        try await ledger.requestReview(of: payment, after: "free:\(payment.merchantUID)", type: Self.freeGiven)
    }

    private func settled(
        _ free: FreePurchase, _ payment: PaymentIdentity
    ) async throws(LedgerError) -> FreeCredit {
        try await followFree(payment)
        return FreeCredit(
            grantID: free.grantID, coins: free.coins, expiresAt: free.expiresAt, user: free.user,
            balance: try await ledger.balances.find(of: free.user))
    }
}

package import Foundation
import Postgres

/// Records that a user paid owed coins in won, by a transfer to our bank.
///
/// ```
/// Dr coins:issued  coins / Cr debt:<user>    coins
/// Dr bank          won   / Cr revenue:coins  won
/// ```
/// If the ledger books VAT, the revenue is less by that of the won: `Cr tax:vat-payable`.
///
/// The claw-back had reversed the coins and their revenue. The user buys the coins again, and they were used before.
package struct PayDebtByBank: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    /// The owed coins that are paid; nil: all.
    package let coins: Coins?
    /// The won that the user paid for them.
    package let price: Price
    /// When the money reached our bank.
    ///
    /// The entry is effective then, but not before the debt arose and not after it is recorded. It can't be before the
    /// day on which the debt arose.
    package let paidAt: Date
    /// What the bank's statement says of the payment.
    package let bankReference: String

    package init(
        idempotencyKey: CallerKey, user: UserID, coins: Coins? = nil, price: Price, paidAt: Date, bankReference: String
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.coins = coins
        self.price = price
        self.paidAt = paidAt
        self.bankReference = bankReference
    }
}

/// The result of paying a debt in won.
package struct DebtPaidByBank: Sendable, Equatable, Codable, PostedSuccess {
    /// The journal entry of the act.
    package let journalEntryID: Int64
    /// The owed coins that were paid.
    package let coins: Int64
    /// The won that were paid for them.
    package let amount: Int64
    package let paidAt: Date
    package let bankReference: String
    /// The VAT of the amount; nil in outcomes recorded before this member existed.
    let vat: Int64?
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension PayDebtByBank {
    package var touches: Touches { Touches(systemAccounts: [.bank, .revenue, .coinsIssued], debtHistory: true) }

    package func plan(on books: inout Plan) -> Answer<DebtPaidByBank> { books.payDebtByBank(self) }
}

extension Plan {
    fileprivate mutating func payDebtByBank(_ act: PayDebtByBank) -> Answer<DebtPaidByBank> {
        let (coins, refusal) = owed(act.coins, by: act.user)
        if let refusal { return .refused(refusal) }
        let since = debts[act.user]?.since ?? recordedAt
        guard isPlausible(act.paidAt, since: since) else { return .refused(.implausiblePaymentDate) }
        let stripe = stripe(of: act.user)
        let vat = OutputVAT(payable: vatSettings.isBooked ? VATRule.vat(of: act.price.amount) : 0)
        let entryID = post(
            .debtBankPayment, reference: "user:\(act.user.rawValue)",
            effectiveAt: moment(act.paidAt, notBefore: since), in: stripe,
            [
                Line(account: .system(.coinsIssued, stripe), side: .debit, amount: coins),
                Line(account: open(.debt, of: act.user), side: .credit, amount: coins),
                Line(account: .system(.bank, stripe), side: .debit, amount: act.price.amount),
                Line(
                    account: .system(.revenue, stripe), side: .credit, amount: act.price.amount - vat.recognised),
            ] + lines(of: vat, in: stripe))
        let paid = DebtPaidByBank(
            journalEntryID: entryID, coins: coins, amount: act.price.amount, paidAt: act.paidAt,
            bankReference: act.bankReference, vat: vat.payable, balance: balance(of: act.user))
        debtPayments.append(paid)
        if paid.balance.debt == 0 { debts[act.user]?.end() }
        return .done(paid)
    }

    /// The coins that a payment or write-off of a user's debt has, or why it is refused.
    func owed(_ asked: Coins?, by user: UserID) -> (coins: Int64, refusal: Refusal?) {
        let debt = balance(of: user).debt
        let coins = asked?.count ?? debt
        let isWithin = debt > 0 && coins <= debt
        return (coins, isWithin ? nil : .exceedsDebt(required: max(1, coins), available: debt))
    }
}

// MARK: - How it is recorded

extension PayDebtByBank {
    package static let name = "debt_bank_payment"
    package static let successName = "debtPaidByBank"

    package var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, coins.map { String($0.count) }, String(price.amount),
            String(paidAt.microsecondsSince1970), bankReference)
    }
}

extension DebtPaidByBank {
    /// To be written after the postings: the database checks them against each other.
    static let insert = BulkInsert<DebtPaidByBank>(
        into: "debt_bank_payment",
        [
            .init("journal_entry_id", \.journalEntryID), .init("user_id", \.balance.user), .init("coins", \.coins),
            .init("amount", \.amount), .init("paid_at", \.paidAt), .init("bank_reference", \.bankReference),
            .init("vat") { $0.vat ?? 0 },
        ])
}

import Foundation
import Testing

@testable import Ledger

/// The books in memory: the production's ``Plan`` decides, and its facts are applied as the database applies them.
struct ModelBooks {
    private(set) var purchases: [Purchase] = []
    private(set) var lots: [Lot] = []
    private(set) var refunds: [Refund] = []
    private var accounts: [Account]
    private var recorded: [RecordedOutcome] = []
    private var ids = RecordIDs()

    static let now = Date(timeIntervalSince1970: 1_767_225_600)
    private static let stripe = Stripe(number: 0)

    init() {
        var ids = RecordIDs()
        ids.add(blocksFrom: [1])
        accounts = SystemAccount.allCases.map { account in
            Account(
                id: ids.next(), stripe: Self.stripe, code: .system(account, Self.stripe), owner: nil,
                currency: account.currency, normalSide: account.normalSide)
        }
        self.ids = ids
    }

    /// Rows that are hidden from a plan, to show what happens without the rule that needs them.
    enum Blindness { case none, purchases, pendingRefunds, refundedAmounts }

    /// Plans an act on all rows, and applies its facts.
    mutating func perform<A: Act>(
        _ act: A, at now: Date, blindTo blindness: Blindness = .none
    ) throws -> Answer<A.Success> {
        var snapshot = Snapshot(stripes: 1, now: now, accounts: accounts, ids: ids)
        snapshot.purchases = blindness == .purchases ? [] : purchases
        snapshot.lots = lots
        snapshot.refunds = blindness == .pendingRefunds ? [] : refunds
        snapshot.recorded = recorded
        if blindness == .refundedAmounts {
            snapshot.purchases = purchases.map { purchase in
                var purchase = purchase
                purchase.refundedAmount = 0
                return purchase
            }
        }
        let plan = Plan([act], on: snapshot)
        apply(plan)
        return try Answer<A.Success>(try #require(plan.answers.first).get())
    }

    private mutating func apply(_ plan: Plan) {
        accounts += plan.journal.accounts.opened.map(\.emptied)
        for posting in plan.journal.postings { post(posting, at: plan.recordedAt) }
        purchases += plan.purchases.new
        for reversal in plan.purchases.reversals {
            purchases.replace(reversal.purchaseID) { $0.reversed(by: reversal) }
        }
        lots += plan.lots.new
        for movement in plan.lots.movements { lots.replace(movement.lot.id) { _ in movement.lot } }
        refunds += plan.refunds.new.map(\.refund)
        for decision in plan.refunds.decisions { refunds.replace(decision.refund.id) { _ in decision.refund } }
        recorded += plan.outcomes.new
        ids = plan.ids
    }

    private mutating func post(_ posting: Posting, at moment: Date) {
        guard let place = accounts.firstIndex(where: { $0.id == posting.accountID }) else { return }
        switch posting.side {
        case .debit: accounts[place].debits += posting.amount
        case .credit: accounts[place].credits += posting.amount
        }
        accounts[place].seq = posting.seq
        accounts[place].postedAt = moment
    }

    /// The user's balance.
    func balance(of user: UserID) -> Balance {
        Balance(user: user) { account in
            accounts.first { $0.code == .user(account, of: user) }?.balance ?? 0
        }
    }

    /// What distinguishes these books from others.
    fileprivate var key: String { "\(purchases) \(lots) \(refunds) \(accounts.map(\.balance))" }
}

extension [Purchase] {
    fileprivate mutating func replace(_ id: Int64, _ change: (Purchase) -> Purchase) {
        for place in indices where self[place].id == id { self[place] = change(self[place]) }
    }
}

extension [Lot] {
    fileprivate mutating func replace(_ id: Int64, _ change: (Lot) -> Lot) {
        for place in indices where self[place].id == id { self[place] = change(self[place]) }
    }
}

extension [Refund] {
    fileprivate mutating func replace(_ id: Int64, _ change: (Refund) -> Refund) {
        for place in indices where self[place].id == id { self[place] = change(self[place]) }
    }
}

extension Account {
    fileprivate var emptied: Account {
        Account(id: id, stripe: stripe, code: code, owner: owner, currency: currency, normalSide: normalSide)
    }
}

/// All books that a walk meets, each stored once, and what each act makes of them.
final class ModelLibrary {
    private struct Deed: Hashable {
        let books: Int
        let act: AnyHashable
        let now: Date
    }

    private var books = [ModelBooks()]
    private var places: [String: Int] = [:]
    private var known: [Deed: (answer: any AnyAnswer, books: Int)] = [:]

    subscript(_ number: Int) -> ModelBooks { books[number] }

    /// The answer to an act, and the number of the books after it.
    ///
    /// - Parameter key: distinguishes the act from others.
    func perform<A: Act>(
        _ act: A, as key: AnyHashable, on number: Int, at now: Date, blindTo blindness: ModelBooks.Blindness = .none
    ) throws -> (answer: Answer<A.Success>, books: Int) {
        let deed = Deed(books: number, act: key, now: now)
        if let known = known[deed] { return (try Answer<A.Success>(known.answer), known.books) }
        var after = books[number]
        let answer = try after.perform(act, at: now, blindTo: blindness)
        let place = places[after.key] ?? books.count
        if place == books.count {
            places[after.key] = place
            books.append(after)
        }
        known[deed] = (answer, place)
        return (answer, place)
    }
}

extension Purchase {
    /// Ann's purchase of the first payment, which she made a minute ago.
    static func anns() throws -> Purchase {
        var books = ModelBooks()
        let act = CreditPurchase(
            user: .ann, payment: .model(0), product: "coins_100", price: .thousandWon, coins: .hundred,
            bonusCoins: nil, paidAt: ModelBooks.now - 60)
        guard case .done(let credited) = try books.perform(act, at: ModelBooks.now).outcome else {
            throw LedgerError.unexpected("not credited")
        }
        return credited.purchase
    }
}

import Foundation
import SoakHistory

/// A short, correct run of one user, which tests falsify.
///
/// Ann buys 100 coins with 10 as a bonus, is granted 5, spends 12, holds 20 of which 8 are captured and the rest is
/// voided, and gets 30 coins refunded.
struct SmallRun {
    var history = History()
    var books = Books()
    var gateway: [PaymentRecord] = []
    /// Whose acts, entries and reads are added.
    var owner = "ann"
    private var time: Moment = 0
    private var entry: Int64 = 100
    private var balances: [String: Int64] = [:]
    private var places: [String: Int64] = [:]

    init() {
        let receipt = act(.receipt, "order-1", nil)
        books.purchases = [
            .init(
                id: 7, user: "ann", merchantUID: "order-1", entry: 101, amount: 1000, coins: 100, bonus: 10,
                refunded: 300)
        ]
        post("purchase", "purchase:7", ["wallet:paid": 100, "wallet:bonus": 10])
        answer(receipt, .init(record: "purchase 7"))
        read()

        keyed(.grant, "grant-1", 5, "grant", "lot:9", ["wallet:bonus": 5])
        keyed(.spend, "spend-1", 12, "spend", "user:ann", ["wallet:bonus": -12])
        read()
        keyed(
            .hold, "hold-1", 20, "hold", "hold:11",
            ["wallet:bonus": -3, "wallet:paid": -17, "held:bonus": 3, "held:paid": 17])
        keyed(.capture, "capture-1", 8, "capture", "hold:11", ["held:bonus": -3, "held:paid": -5])
        keyed(.void, "void-1", nil, "void", "hold:11", ["held:paid": -12, "wallet:paid": 12])
        read()

        books.refunds = [.init(id: 13, purchase: 7, coins: 30, status: "completed")]
        let refund = act(.refund, "refund-1", 30)
        post("refund_hold", "refund:13", ["wallet:paid": -30, "held:paid": 30], key: "refund-1")
        // Of the 10 bonus coins, 3 would be due; they are used, so that 3 of the 30 paid coins go for them.
        post("refund", "refund:13", ["held:paid": -30], key: "refund-1")
        answer(refund, .init(record: "refund 13 of 30 coins"))
        read()

        gateway = [PaymentRecord(merchantUID: "order-1", paid: 1000, cancelled: 270)]
        books.purchases[0].refunded = 270
        books.trialBalance = [.init(currency: "COIN", debits: 500, credits: 500)]
        let ordered = act(.order, "order-key", nil)
        books.orders = ["order-1"]
        answer(ordered, .init(record: "order-1"))
    }

    var violations: [Violation] { Checker(books: books, gateway: gateway).violations(of: history) }

    var rules: Set<Violation.Rule> { Set(violations.map(\.rule)) }

    var coins: Coins {
        func balance(_ account: String) -> Int64 { balances["\(owner) \(account)", default: 0] }
        return Coins(
            paid: balance("wallet:paid"), bonus: balance("wallet:bonus"),
            held: balance("held:paid") + balance("held:bonus"), debt: balance("debt"))
    }

    // MARK: - Building

    /// An act with a key, its entry and its answer.
    mutating func keyed(
        _ kind: Act.Kind, _ key: String, _ coins: Int64?, _ entryKind: String, _ reference: String,
        _ changes: [String: Int64], isAnswered: Bool = true
    ) {
        let act = act(kind, key, coins)
        post(entryKind, reference, changes, key: key)
        if isAnswered { answer(act, .init(record: "entry \(entry)", entry: entry, balance: self.coins)) }
    }

    mutating func act(_ kind: Act.Kind, _ key: String, _ coins: Int64?) -> Act {
        time += 10
        return Act(kind, of: owner, key: key, coins: coins)
    }

    mutating func post(_ kind: String, _ reference: String, _ changes: [String: Int64], key: String? = nil) {
        entry += 1
        let lines = changes.sorted { $0.key < $1.key }.map { account, change in
            let name = "\(owner) \(account)"
            balances[name, default: 0] += change
            places[name, default: 0] += 1
            return Books.Line(
                account: account, place: places[name, default: 0], change: change, balance: balances[name, default: 0])
        }
        books.entries.append(
            .init(
                id: entry, transaction: entry, committedAt: entry, kind: kind, reference: reference, reason: key,
                recordedAt: Date(timeIntervalSince1970: Double(entry)), user: owner, lines: lines))
        if let key, !kind.hasSuffix("refund") { books.keys.append(.init(key: key, entry: entry)) }
    }

    mutating func answer(_ act: Act, _ answer: Attempt.Answer) { attempt(act, .done(answer)) }

    mutating func attempt(_ act: Act, _ outcome: Attempt.Outcome) {
        history.attempts.append(Attempt(act, from: time, to: time + 5, at: 0, outcome))
        time += 10
    }

    mutating func read(_ coins: Coins? = nil) {
        time += 10
        history.reads.append(Read(of: owner, from: time, to: time + 5, at: 1, coins ?? self.coins))
    }
}

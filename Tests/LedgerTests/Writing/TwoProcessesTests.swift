import Foundation
import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// Two processes on one database, each with writers of its own: nothing but the database keeps them apart.
@Suite(.timeLimit(.minutes(20))) struct TwoProcessesTests {
    @Test func `of two acts that wait for each other each answers with the journal's balance at its entry`()
        async throws
    {
        try await TestLedger.with(writers: 1) { first, test in
            let second = try await test.open(writers: 1)
            let blocker = try await test.connectAsOwner()
            _ = try await first.submit(Grant.sample("first", to: Pair.receiver))
            for left in Kind.allCases {
                for right in Kind.allCases {
                    let pair = Pair(left: left, right: right)
                    let (one, other) = try await pair.prepare(on: first)
                    try await blocker.execute("BEGIN; \(pair.lock)")
                    async let oneAnswer = first.answer(to: one)
                    try await test.waitUntilBlocked()
                    async let otherAnswer = second.answer(to: other)
                    try await test.waitUntilBlocked(sessions: 2)
                    try await blocker.execute("COMMIT")
                    let answers = try await [oneAnswer, otherAnswer]
                    try await expectTrue(answers, of: pair.user, on: first, "\(left) and \(right)")
                }
            }
            await blocker.close()
            await second.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `the first acts of new users through two processes return balances that the journal had`() async throws {
        try await TestLedger.with(writers: 2) { first, test in
            let second = try await test.open(writers: 2)
            for round in 0..<12 {
                let user = "new-\(round)"
                let read = try await withThrowingTaskGroup(of: [Balance].self) { group in
                    group.addTask {
                        var read: [Balance] = []
                        for _ in 0..<20 { read.append(try await first.balances.find(of: .named(user))) }
                        return read
                    }
                    for (place, command) in firstActs(of: user, round).enumerated() {
                        group.addTask {
                            let answer = try await (place % 2 == 0 ? first : second).answer(to: command)
                            return [answer.balance].compactMap(\.self)
                        }
                    }
                    return try await group.reduce([], +)
                }
                let states = try await first.states(of: .named(user))
                #expect(read.allSatisfy(states.contains), "\(read.filter { !states.contains($0) }) of \(states)")
            }
            await second.close()
            try await Audit.expectSound(test)
        }
    }

    private func firstActs(of user: String, _ round: Int) -> [any Act] {
        (0..<4).flatMap { number -> [any Act] in
            let key = "\(user)-\(number)"
            return [
                CreditPurchase.sample(round * 10 + number, by: user, bonus: 0),
                Grant.sample("grant-\(key)", to: user),
                PlaceHold.sample("hold-\(key)", by: user, coins: 1),
                Spend.sample("spend-\(key)", by: user, coins: 1),
            ]
        }
    }

    /// Each answer is a state that the user's accounts went through, and the later one is the last.
    private func expectTrue(_ answers: [any AnyAnswer], of user: UserID, on ledger: Ledger, _ pair: String) async throws
    {
        let answered = answers.compactMap(\.balance)
        let states = try await ledger.states(of: user)
        #expect(answered.allSatisfy(states.contains), "\(pair): \(answered) of \(states)")
        #expect(answered.isEmpty || answered.contains(states[states.count - 1]), "\(pair): \(answered) of \(states)")
        #expect(try await ledger.balances.find(of: user) == states.last, "\(pair)")
    }
}

/// What a user's coins can go through, each as a user's first of its kind.
private enum Kind: CaseIterable {
    case purchase, purchaseAlone, grant, spend, hold, capture, void, beginRefund, completeRefund, releaseRefund
    case clawBack, gift
}

/// Two acts of one user who is theirs alone.
private struct Pair {
    let left: Kind
    let right: Kind

    /// Who is given coins.
    static let receiver = "receiver"

    private var name: String { "\(left)-\(right)" }
    var user: UserID { .named(name) }
    private var isNew: Bool { [left, right].allSatisfy { [.purchase, .purchaseAlone, .grant].contains($0) } }

    /// Whatever of the user's there is; of a new user that is nothing, so what a first act needs.
    var lock: String {
        isNew
            ? "SELECT FROM account WHERE owner IS NULL ORDER BY id FOR UPDATE"
            : "SELECT FROM account WHERE owner = '\(name)' ORDER BY id FOR UPDATE"
    }

    /// Does what both need to be done before, and no more, and names them.
    func prepare(on ledger: Ledger) async throws -> (any Act, any Act) {
        if isNew { return (command(left, "l", nil, nil, nil), command(right, "r", nil, nil, nil)) }
        let purchase = try #require(try await ledger.credit(payment("p", bonus: 0)).credited?.purchase)
        var holds: [HoldPlaced?] = []
        var refunds: [Refund?] = []
        for (side, act) in [("l", left), ("r", right)] {
            let isOfHold = [.capture, .void].contains(act)
            holds.append(
                isOfHold
                    ? try await ledger.submit(PlaceHold.sample("h-\(name)-\(side)", by: name, coins: 10)).placed
                    : nil)
            let isOfRefund = [.completeRefund, .releaseRefund].contains(act)
            let refund = refunds.compactMap(\.self).first
            refunds.append(
                !isOfRefund || refund != nil
                    ? refund
                    : try await ledger.submit(
                        BeginRefund.sample("b-\(name)-\(side)", of: purchase.id, by: name, coins: 10)
                    ).begun)
        }
        return (
            command(left, "l", purchase, holds[0]?.hold, refunds[0] ?? refunds[1]),
            command(right, "r", purchase, holds[1]?.hold, refunds[1] ?? refunds[0])
        )
    }

    private func payment(_ side: String, bonus: Int64 = 10) -> CreditPurchase {
        .sample(by: name, paymentID: "imp-\(name)-\(side)", merchantUID: "order-\(name)-\(side)", bonus: bonus)
    }

    private func command(
        _ act: Kind, _ side: String, _ purchase: Purchase?, _ hold: Hold?, _ refund: Refund?
    ) -> any Act {
        let key = "\(name)-\(side)"
        return switch act {
        case .purchase: payment(side)
        case .purchaseAlone: payment(side, bonus: 0)
        case .grant: Grant.sample(key, to: name)
        case .spend: Spend.sample(key, by: name, coins: 5)
        case .hold: PlaceHold.sample(key, by: name, coins: 5)
        case .capture: CaptureHold.sample(key, of: hold?.id ?? 0, by: name, provider: "maker-\(name)")
        case .void: VoidHold.sample(key, of: hold?.id ?? 0, by: name)
        case .beginRefund: BeginRefund.sample(key, of: purchase?.id ?? 0, by: name, coins: 5)
        case .completeRefund: CompleteRefund(user: user, refundID: refund?.id ?? 0)
        case .releaseRefund:
            ReleaseRefund(
                user: user, refundID: refund?.id ?? 0, refusal: .init(reason: "refused", gatewayCode: nil))
        case .clawBack: ClawBack(user: user, payment: payment("p").payment, cancelledAmount: 1000)
        case .gift: Gift.sample(key, from: name, to: Self.receiver, coins: 5)
        }
    }
}

extension Ledger {
    /// Every balance that the user had, the first before anything.
    fileprivate func states(of user: UserID) async throws -> [Balance] {
        let entries = try await statements.list(of: user, limit: 1000).elements.reversed()
        var held: [String: Int64] = [:]
        return [Balance(user: user) { _ in 0 }]
            + entries.map { entry in
                for movement in entry.movements { held[movement.account] = movement.balance }
                return Balance(user: user) { held[$0.statementName] ?? 0 }
            }
    }
}

extension AnyAnswer {
    /// What it tells of the user's coins; nil for a refusal.
    fileprivate var balance: Balance? {
        let all: [Balance?] = [
            credited?.balance, granted?.balance, clawedBack?.balance, spent?.balance, placed?.balance,
            captured?.balance, voided?.balance, (self as? Answer<RefundBegun>)?.success?.balance, decided?.balance,
            (self as? Answer<Gifted>)?.success?.balance,
        ]
        return all.compactMap(\.self).first
    }
}

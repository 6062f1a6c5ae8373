import Foundation
import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// Two processes on one database, each with writers of its own: nothing but the database keeps them apart.
@Suite struct TwoProcessesTests {
    @Test func `of two acts that wait for each other each answers with the journal's balance at its entry`()
        async throws
    {
        try await TestLedger.with(writers: 1) { first, test in
            let second = try await test.open(writers: 1)
            let blocker = try await test.connectAsOwner()
            for left in Act.allCases {
                for right in Act.allCases {
                    let pair = Pair(left: left, right: right)
                    let (one, other) = try await pair.prepare(on: first)
                    try await blocker.execute("BEGIN; \(pair.lock)")
                    async let oneAnswer = first.submit(one)
                    try await test.waitUntilBlocked()
                    async let otherAnswer = second.submit(other)
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

    @Test func `the first acts of new users through two processes tell balances that the journal had`() async throws {
        try await TestLedger.with(writers: 2) { first, test in
            let second = try await test.open(writers: 2)
            for round in 0..<12 {
                let user = "new-\(round)"
                let read = try await withThrowingTaskGroup(of: [Balance].self) { group in
                    group.addTask {
                        var read: [Balance] = []
                        for _ in 0..<20 { read.append(try await first.balance(of: .named(user))) }
                        return read
                    }
                    for (place, command) in firstActs(of: user, round).enumerated() {
                        group.addTask {
                            let answer = try await (place % 2 == 0 ? first : second).submit(command)
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

    private func firstActs(of user: String, _ round: Int) -> [Command] {
        (0..<4).flatMap { number -> [Command] in
            let key = "\(user)-\(number)"
            return [
                .creditPurchase(.sample(round * 10 + number, by: user, bonus: 0)),
                .grant(.sample("grant-\(key)", to: user)),
                .placeHold(.sample("hold-\(key)", by: user, coins: 1)),
                .spend(.sample("spend-\(key)", by: user, coins: 1)),
            ]
        }
    }

    /// Each answer is a state that the user's accounts went through, and the later one is the last.
    private func expectTrue(_ answers: [Answer], of user: UserID, on ledger: Ledger, _ pair: String) async throws {
        let told = answers.compactMap(\.balance)
        let states = try await ledger.states(of: user)
        #expect(told.allSatisfy(states.contains), "\(pair): \(told) of \(states)")
        #expect(told.isEmpty || told.contains(states[states.count - 1]), "\(pair): \(told) of \(states)")
        #expect(try await ledger.balance(of: user) == states.last, "\(pair)")
    }
}

/// What a user's coins can go through, each as a user's first of its kind.
private enum Act: CaseIterable {
    case purchase, purchaseAlone, grant, spend, hold, capture, void, beginRefund, completeRefund, releaseRefund
    case clawBack
}

/// Two acts of one user who is theirs alone.
private struct Pair {
    let left: Act
    let right: Act

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
    func prepare(on ledger: Ledger) async throws -> (Command, Command) {
        if isNew { return (command(left, "l", nil, nil, nil), command(right, "r", nil, nil, nil)) }
        let purchase = try #require(try await ledger.credit(payment("p", bonus: 0)).credited?.purchase)
        var holds: [HoldPlaced?] = []
        var refunds: [Refund?] = []
        for (side, act) in [("l", left), ("r", right)] {
            let isOfHold = [.capture, .void].contains(act)
            holds.append(
                isOfHold
                    ? try await ledger.submit(.placeHold(.sample("h-\(name)-\(side)", by: name, coins: 10))).placed
                    : nil)
            let isOfRefund = [.completeRefund, .releaseRefund].contains(act)
            let refund = refunds.compactMap(\.self).first
            refunds.append(
                !isOfRefund || refund != nil
                    ? refund
                    : try await ledger.submit(
                        .beginRefund(.sample("b-\(name)-\(side)", of: purchase.id, by: name, coins: 10))
                    ).begun)
        }
        return (
            command(left, "l", purchase, holds[0]?.hold, refunds[0] ?? refunds[1]),
            command(right, "r", purchase, holds[1]?.hold, refunds[1] ?? refunds[0])
        )
    }

    private func payment(_ side: String, bonus: Int64 = 10) -> CreditPurchase {
        .sample(by: name, impUID: "imp-\(name)-\(side)", merchantUID: "order-\(name)-\(side)", bonus: bonus)
    }

    private func command(_ act: Act, _ side: String, _ purchase: Purchase?, _ hold: Hold?, _ refund: Refund?) -> Command
    {
        let key = "\(name)-\(side)"
        return switch act {
        case .purchase: .creditPurchase(payment(side))
        case .purchaseAlone: .creditPurchase(payment(side, bonus: 0))
        case .grant: .grant(.sample(key, to: name))
        case .spend: .spend(.sample(key, by: name, coins: 5))
        case .hold: .placeHold(.sample(key, by: name, coins: 5))
        case .capture: .captureHold(.sample(key, of: hold?.id ?? 0, by: name, provider: "maker-\(name)"))
        case .void: .voidHold(.sample(key, of: hold?.id ?? 0, by: name))
        case .beginRefund: .beginRefund(.sample(key, of: purchase?.id ?? 0, by: name, coins: 5))
        case .completeRefund: .completeRefund(CompleteRefund(user: user, refundID: refund?.id ?? 0))
        case .releaseRefund:
            .releaseRefund(
                ReleaseRefund(
                    user: user, refundID: refund?.id ?? 0, refusal: .init(reason: "refused", gatewayCode: nil)))
        case .clawBack: .clawBack(ClawBack(user: user, payment: payment("p").payment, cancelledAmount: 1000))
        }
    }
}

extension Ledger {
    /// Every balance that the user had, the first before anything.
    fileprivate func states(of user: UserID) async throws -> [Balance] {
        let entries = try await statement(of: user, limit: 1000).elements.reversed()
        var held: [String: Int64] = [:]
        return [Balance(user: user) { _ in 0 }]
            + entries.map { entry in
                for movement in entry.movements { held[movement.account] = movement.balance }
                return Balance(user: user) { held[$0.statementName] ?? 0 }
            }
    }
}

extension Answer {
    /// What it tells of the user's coins; nil for a refusal.
    fileprivate var balance: Balance? {
        switch outcome {
        case .credited(let it): it.balance
        case .granted(let it): it.balance
        case .clawedBack(let it): it.balance
        case .spent(let it): it.balance
        case .holdPlaced(let it): it.balance
        case .holdCaptured(let it): it.balance
        case .holdVoided(let it): it.balance
        case .lotExpired(let it): it.balance
        case .debtPaid(let it): it.balance
        case .refundBegun(let it): it.balance
        case .refundDecided(let it): it.balance
        case .settled, .refused: nil
        }
    }
}

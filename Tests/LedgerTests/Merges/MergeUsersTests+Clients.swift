import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

extension MergeUsersTests {
    @Test func `16 clients of both users go on during the merge, and are told of each coin that comes or goes`()
        async throws
    {
        try await TestLedger.with(batchLimit: 4) { one, test in
            // As if they were two processes: their acts meet in the database.
            let two = try await test.open(batchLimit: 4)
            var clients: [Client] = []
            for number in 0..<16 {
                let user = ["ann", "cid"][number % 2]
                let purchase = try await one.buy(.sample(number, by: user, bonus: 0))
                clients.append(
                    Client(number: number, user: user, purchase: purchase, ledger: number % 4 < 2 ? one : two))
            }
            let (ready, rounds) = (clients, Effort.count(15, upTo: 150))
            let coins = try await together(16) { number in
                var client = ready[number]
                try await client.live(rounds)
                return client.coins
            }
            #expect(try await one.merges.user(behind: .named("ann")) == .named("cid"))
            #expect(try await one.balances.find(of: .named("cid")).total == coins.reduce(0, +))
            #expect(try await one.balances.find(of: .named("ann")).total == 0)
            #expect(try await test.balance(of: .clearingCoins) == 0)
            await two.close()
            try await Audit.expectSound(test)
        }
    }
}

/// A client who knows a user by one id, also when that has become a former one.
private struct Client {
    let number: Int
    let user: String
    let purchase: Purchase
    let ledger: Ledger
    /// The coins of the user that came, less those that went, as the answers say.
    private(set) var coins: Int64 = 100

    init(number: Int, user: String, purchase: Purchase, ledger: Ledger) {
        self.number = number
        self.user = user
        self.purchase = purchase
        self.ledger = ledger
    }

    /// Holds coins before the merge and captures them after it; what is between, happens at any moment of it.
    mutating func live(_ rounds: Int) async throws {
        let hold = try #require(try await send(PlaceHold.sample("held-\(number)", by: user, coins: 10))).hold
        for round in 0..<rounds {
            if number == 0, round == rounds / 2 { try #require(try await send(MergeUsers.sample()) != nil) }
            try await act(round)
        }
        coins -= try #require(try await send(CaptureHold.sample("late-\(number)", of: hold.id, by: user))).coins
    }

    private mutating func act(_ round: Int) async throws {
        let key = "\(number)/\(round)"
        switch (number + round) % 5 {
        case 0: coins += try #require(try await send(Grant.sample("grant-\(key)", to: user, coins: 7))).coins
        case 1: coins -= try await send(Spend.sample("spend-\(key)", by: user, coins: 5))?.coins ?? 0
        case 2:
            guard let held = try await send(PlaceHold.sample("hold-\(key)", by: user, coins: 6)) else { return }
            let capture = CaptureHold.sample("capture-\(key)", of: held.hold.id, by: user, coins: 4, isFinal: true)
            coins -= try #require(try await send(capture)).coins
        case 3:
            let refund = try await send(BeginRefund.sample("refund-\(key)", of: purchase.id, by: user, coins: 3))?
                .refund
            guard let refund else { return }
            try #require(try await send(CompleteRefund.sample(refund)) != nil)
            coins -= refund.coins
        default:
            let other = user == "ann" ? "cid" : "ann"
            _ = try await send(Gift.sample("gift-\(key)", from: user, to: other, coins: 2))
        }
    }

    /// What a client may be told instead: others were faster, or both are one user.
    private static let documented: Set = [
        "insufficientCoins", "exceedsRefundable", "nothingToRefund", "exceedsGiveable", "receiverMerged",
        "giftToOneself",
    ]

    private func send<A: Act>(_ act: A) async throws -> A.Success? {
        let answer = try await ledger.submit(act)
        if let refusal = answer.refusal { #expect(Self.documented.contains(refusal.name), "\(refusal)") }
        return answer.success
    }
}

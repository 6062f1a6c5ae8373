import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

extension PayoutTests {
    @Test func `many proposals and payments at once pay each won once`() async throws {
        try await Self.withEarnings { ledger, test in
            let proposals = try await together(8) { try await ledger.propose("p\($0)") }
            let payouts = proposals.compactMap(\.payout)
            #expect(payouts.reduce(0) { $0 + $1.amount } == 1040)
            for payout in payouts { _ = try await ledger.payouts.approve(payout.id, by: "lee") }
            let answers = try await together(24) { number in
                try await ledger.pay(payouts[number % payouts.count], "k\(number / 2)")
            }
            #expect(answers.count { $0.payoutPaid != nil && !$0.isRepeat } == payouts.count)
            #expect(try await test.balance(of: .bank) == -1040)
            #expect(try await ledger.owed("zoe") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a payout that is withdrawn and paid at once is either`() async throws {
        try await Self.withEarnings { ledger, test in
            for round in 0..<6 {
                let payout = try await ledger.approved("p\(round)", to: round.isMultiple(of: 2) ? ["zoe"] : ["yan"])
                async let answer = ledger.pay(payout, "k\(round)")
                async let decision = ledger.payouts.withdraw(payout.id, by: "kim", because: nil)
                let (paid, decided) = try await (answer, decision)
                let status = try await ledger.payouts.find(payout.id)?.status
                #expect(status == (paid.payoutPaid == nil ? .withdrawn : .paid))
                #expect((decided == .refused(.paid)) == (paid.payoutPaid != nil))
                try await Audit.expectSound(test)
                if paid.payoutPaid != nil {
                    _ = try await ledger.capture("again-\(round)", of: "user-1", 1, for: "zoe")
                    _ = try await ledger.capture("again too-\(round)", of: "user-2", 1, for: "yan")
                }
            }
        }
    }

    @Test func `captures and reversals go on while payouts are proposed and paid`() async throws {
        try await Self.withEarnings { ledger, test in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...8 {
                    group.addTask {
                        for turn in 0..<6 {
                            let captured = try await ledger.capture(
                                "\(number)/\(turn)", of: "user-\(number)", 5, for: "zoe")
                            if turn.isMultiple(of: 2) {
                                _ = try await ledger.submit(
                                    ReverseRedemption.sample("back \(number)/\(turn)", of: captured, coins: 3))
                            }
                        }
                    }
                }
                group.addTask {
                    for turn in 0..<10 {
                        guard let payout = try await ledger.propose("p\(turn)").payout else { continue }
                        _ = try await ledger.payouts.approve(payout.id, by: "lee")
                        if turn.isMultiple(of: 3) {
                            _ = try await ledger.payouts.withdraw(payout.id, by: "kim", because: nil)
                        } else {
                            #expect(try await ledger.pay(payout, "k\(turn)").payoutPaid != nil)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let last = try await ledger.propose("last").payout
            if let last {
                _ = try await ledger.payouts.approve(last.id, by: "lee")
                _ = try await ledger.pay(last, "last")
            }
            // 8 users × (6 captures of 50 won − 3 reversals of 30 won) at 80 %, and what was earned before.
            let earned: Int64 = 8 * (6 * 40 - 3 * 24) + 640
            #expect(try await ledger.owed("zoe") == 0)
            #expect(try await test.balance(of: .bank) == -earned - 400)
            try await Audit.expectSound(test)
        }
    }

    /// The foreign key of a decision locks its payout in a mode that several can have, so each must lock it before.
    @Test func `of decisions of two processes at once one holds, and none fails`() async throws {
        try await Self.withEarnings { ledger, test in
            let other = try await test.open()
            let blocker = try await test.connectAsOwner()
            for round in 0..<4 {
                guard let payout = try await ledger.propose("p\(round)").payout else { break }
                if round.isMultiple(of: 2) { _ = try await ledger.payouts.approve(payout.id, by: "lee") }
                // They all wait for the payout, and then go on at the same time.
                try await blocker.execute("BEGIN; SELECT FROM payout WHERE id = \(payout.id) FOR UPDATE")
                async let approved = ledger.payouts.approve(payout.id, by: "lee")
                async let withdrawn = other.payouts.withdraw(payout.id, by: "kim", because: nil)
                async let approvedToo = other.payouts.approve(payout.id, by: "mia")
                try await test.waitUntilBlocked(sessions: 3)
                async let paid = ledger.pay(payout, "k\(round)")
                try await test.waitUntilBlocked(sessions: 4)
                try await blocker.execute("COMMIT")
                let decided = try await [approved, withdrawn, approvedToo]
                let payment = try await paid
                let status = try #require(try await ledger.payouts.find(payout.id)).status
                #expect((payment.payoutPaid != nil) == (status == .paid), "\(payment) of \(status)")
                #expect(!decided.contains(.notFound))
                if status != .withdrawn { _ = try await ledger.payouts.withdraw(payout.id, by: "kim", because: nil) }
            }
            await blocker.close()
            await other.close()
            try await Audit.expectSound(test)
        }
    }
}

import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct HoldTests {
    @Test func `held coins can't be spent, and are captured in part for a provider and given back at last`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let placed = try #require(try await ledger.submit(PlaceHold.sample(coins: 60)).placed)
            #expect(placed.hold.status == .open && placed.lots.map(\.coins) == [10, 50])
            #expect(placed.balance.held == 60 && placed.balance.available == 50 && placed.balance.total == 110)
            #expect(
                try await ledger.submit(Spend.sample(coins: 51)).refusal
                    == .insufficientCoins(required: 51, available: 50))
            let part = try #require(
                try await ledger.submit(CaptureHold.sample(of: placed.hold.id, coins: 20, provider: "kim")).captured)
            #expect(part.hold.status == .open && part.hold.remaining == 40 && part.lots.map(\.amount) == [0, 100])
            let record = try #require(try await ledger.journal.find(part.journalEntryID))
            let stripe = Stripe(of: .named("ann"), among: 4).number
            #expect(
                record.lines.map { "\($0.side) \($0.account) \($0.amount)" } == [
                    "debit held:ann:bonus 10", "debit held:ann:paid 10", "credit earnings:kim/\(stripe) 20",
                    "debit coins:deferred-revenue/\(stripe) 100", "credit revenue:coins/\(stripe) 100",
                ])
            let last = try #require(
                try await ledger.submit(
                    CaptureHold.sample("capture-2", of: placed.hold.id, coins: 5, isFinal: true)
                ).captured)
            #expect(last.hold.status == .captured && last.hold.captured == 25 && last.hold.released == 35)
            #expect(last.balance.held == 0 && last.balance.paid == 85)
            #expect(
                try await ledger.submit(VoidHold.sample(of: placed.hold.id)).refusal == .holdClosed(.captured))
            try await Audit.expectSound(test)
        }
    }

    @Test func `a voided hold gives back the very coins it held`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 30)).placed).hold
            let voided = try #require(try await ledger.submit(VoidHold.sample(of: hold.id)).voided)
            #expect(voided.hold.status == .voided && voided.coins == 30)
            #expect(voided.balance.paid == 100 && voided.balance.bonus == 10 && voided.balance.held == 0)
            #expect(try await ledger.submit(CaptureHold.sample(of: hold.id)).refusal == .holdClosed(.voided))
            #expect(try await ledger.submit(CaptureHold.sample("c", of: hold.id, by: "eve")).refusal == .noSuchHold)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a hold whose time is up is not captured, and expires once`() async throws {
        try await Calendar.with { calendar in
            let ledger = calendar.ledger
            _ = try await ledger.credit(.sample())
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 30, timeout: 4)).placed).hold
            let early = try await ledger.submit(ExpireHold(user: hold.user, holdID: hold.id))
            #expect(early.isRepeat && early.voided?.hold.status == .open)
            try await calendar.clock.set(to: hold.expiresAt + 1)
            #expect(try await ledger.submit(CaptureHold.sample(of: hold.id)).refusal == .holdExpired)
            let answers = try await together(8) { _ in
                try await ledger.submit(ExpireHold(user: hold.user, holdID: hold.id))
            }
            #expect(answers.filter { !$0.isRepeat }.count == 1)
            #expect(answers.allSatisfy { $0.voided?.hold.status == .expired && $0.voided?.balance.available == 110 })
            try await Audit.expectSound(calendar.test)
        }
    }

    @Test func `thirty-two captures of one hold never take more than it holds`() async throws {
        try await TestLedger.with(writers: 2) { one, test in
            _ = try await one.credit(.sample(coins: 100, bonus: 0))
            let hold = try #require(try await one.submit(PlaceHold.sample(coins: 50)).placed).hold
            let two = try await test.open(writers: 2)
            let answers = try await together(32) {
                try await ($0.isMultiple(of: 2) ? one : two)
                    .submit(CaptureHold.sample("capture-\($0)", of: hold.id, coins: 3))
            }
            await two.close()
            #expect(answers.compactMap(\.captured).count == 16)
            #expect(
                answers.compactMap(\.refusal) == Array(repeating: .exceedsHold(required: 3, available: 2), count: 16))
            try await Audit.expectSound(test)
        }
    }
}

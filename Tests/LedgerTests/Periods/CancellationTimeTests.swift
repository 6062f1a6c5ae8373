import Foundation
import LedgerTestSupport
import Testing

@testable import Ledger

/// What happened at a gateway, or to a lot, takes effect when it happened, and never before what it follows.
@Suite(.timeLimit(.minutes(20))) struct CancellationTimeTests {
    private static let start = Date(timeIntervalSince1970: 1_767_312_000)

    private static func with(_ body: (Ledger, TestLedger, TestClock) async throws -> Void) async throws {
        try await TestLedger.with(at: start) { ledger, test, clock in
            try await body(ledger, test, clock)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a claw-back takes effect when the gateway cancelled, within the payment's time`() async throws {
        try await Self.with { ledger, test, clock in
            let purchase = try await ledger.buy(.sample())
            let cases: [(reported: Date?, effective: Date)] = [
                (Self.start - 3600, Self.start - 3600), (nil, Self.start),
                (Self.start + 86_400, Self.start), (purchase.paidAt - 86_400, purchase.paidAt),
            ]
            for (number, (reported, effective)) in cases.enumerated() {
                try await ledger.clawBack(purchase, Int64(number + 1) * 200, at: reported)
                #expect(abs(try await test.effective("claw_back").timeIntervalSince(effective)) < 0.01, "\(number)")
            }
        }
    }

    @Test func `one of a closed period is posted after it and says when it was`() async throws {
        try await Self.with { ledger, test, clock in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.periods.close(until: Self.start - 60, by: "kim")
            try await ledger.clawBack(purchase, 1000, at: Self.start - 3600)
            #expect(try await test.effective("claw_back") == Self.start - 60)
            #expect(try await test.effective("claw_back", "late_for") == Self.start - 3600)
        }
    }

    @Test func `coins that came back late expire then, and a lot never shows less than none`() async throws {
        try await Self.with { ledger, test, clock in
            let end = Self.start + 60
            _ = try await ledger.buy(.sample(bonus: 0, expiresAt: end))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 40)).placed).hold
            try await clock.set(to: end + 1)
            try await ledger.expireLots()
            #expect(try await test.effective("expiry") == end)
            try await clock.set(to: end + 600)
            _ = try await ledger.submit(VoidHold.sample(of: hold.id))
            try await clock.set(to: end + 700)
            try await ledger.expireLots()
            let second = try await test.effective("expiry")
            #expect(second > end + 599 && second < end + 601)
            for moment in [end - 30, end + 30, end + 630, end + 800] {
                let to = moment.formatted(.iso8601)
                let lot = try #require(try await ledger.export(.lots, [.to: to]).records.first)
                let expected = moment < end ? ["60", "40"] : moment < end + 600 ? ["0", "40"] : ["0", "0"]
                #expect([lot["remaining"], lot["held"]] == expected, "\(moment)")
            }
        }
    }

    @Test func `a claw-back of coins that were held takes effect when they had come back`() async throws {
        try await Self.with { ledger, test, clock in
            let purchase = try await ledger.buy(.sample(bonus: 0))
            let hold = try #require(try await ledger.submit(PlaceHold.sample(coins: 100)).placed).hold
            try await clock.set(to: Self.start + 600)
            _ = try await ledger.submit(VoidHold.sample(of: hold.id))
            try await clock.set(to: Self.start + 900)
            try await ledger.clawBack(purchase, 1000, at: Self.start + 300)
            #expect(abs(try await test.effective("claw_back").timeIntervalSince(Self.start + 600)) < 0.01)
        }
    }

    @Test func `a refund takes effect within its own time, whatever the gateway's clock says`() async throws {
        try await Self.with { ledger, test, clock in
            let purchase = try await ledger.buy(.sample())
            let refund = try await ledger.begin(.sample(of: purchase.id))
            try await clock.set(to: Self.start + 60)
            _ = try await ledger.submit(
                CompleteRefund(user: refund.user, refundID: refund.id, cancelledAt: Self.start - 3600))
            #expect(try await test.effective("refund") == refund.requestedAt)
        }
    }
}

extension Ledger {
    fileprivate func clawBack(_ purchase: Purchase, _ amount: Int64, at moment: Date?) async throws {
        let command = ClawBack.sample(of: purchase, amount, cancelledAt: moment)
        #expect(try await submit(command).isRepeat == false)
    }
}

extension TestLedger {
    /// When the last entry of a kind took effect.
    fileprivate func effective(_ kind: String, _ column: String = "effective_at") async throws -> Date {
        let microseconds = try await number(
            """
            SELECT (extract(epoch FROM \(column)) * 1000000)::int8 FROM journal_entry WHERE kind = '\(kind)'
            ORDER BY id DESC LIMIT 1
            """)
        return Date(microsecondsSince1970: microseconds)
    }
}

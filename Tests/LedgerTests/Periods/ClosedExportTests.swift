import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What is reported of a closed period is reported so for good.
@Suite(.timeLimit(.minutes(20))) struct ClosedExportTests {
    @Test func `every export of a closed period is the same to the byte, whatever becomes of its coins`() async throws {
        try await TestLedger.with { ledger, test in
            let past = try await Past(ledger)
            let end = try await test.closeEverything(ledger)
            let before = try await Self.exports(of: ledger, until: end)
            let lots = try await ledger.export(.lots).bytes
            let purchases = try await ledger.export(.purchases).bytes

            try await past.goOn(ledger)
            let after = try await Self.exports(of: ledger, until: end)
            #expect(before.count >= 16)
            let changed = before.filter { after[$0.key] != $0.value }
            #expect(changed.keys.sorted().isEmpty)
            // Without an end they go on: or the test would show nothing.
            #expect(try await ledger.export(.lots).bytes != lots)
            #expect(try await ledger.export(.purchases).bytes != purchases)
            let open = try await ledger.export(.journal, [.from: end]).records
            let late = Set(open.with("late_for").compactMap { $0["kind"] })
            #expect(late == ["purchase", "refund", "expiry", "settlement"])
            try await Audit.expectSound(test)
        }
    }

    /// Every report in every form, by its name.
    static func exports(of ledger: Ledger, until end: String) async throws -> [String: [UInt8]] {
        var exports: [String: [UInt8]] = [:]
        let hasPolicy = try await !ledger.adjustments.listPolicies(limit: 1).elements.isEmpty
        for report in Report.ofAnyBooks + (hasPolicy ? [.adjustments] : []) {
            let isOfPeriod = report.coverage != .moment
            var border: [ExportOption: String] = isOfPeriod ? [.to: end] : [.asOf: end]
            if report.isByDay { border[.from] = "2026-01-01" }
            var variants = ExportFormat.allCases.filter { $0.holds(report) }.map { [ExportOption.format: $0.rawValue] }
            if report == .trialBalance { variants.append([.detail: "accounts"]) }
            // The moment may be given too.
            if isOfPeriod { variants.append([.asOf: end]) }
            for options in variants.map({ border.merging($0) { $1 } }) {
                exports["\(report) \(options.map { "\($0)=\($1)" }.sorted())"] = try await ledger.export(
                    report, options
                ).bytes
            }
        }
        return exports
    }

    @Test func `a purchase and its lot are exported as they were when the period ended`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try #require(try await ledger.credit(.sample(1, bonus: 0)).credited?.purchase)
            let credited = try await test.moment()
            _ = try await ledger.submit(Spend.sample(coins: 5))
            try await ledger.clawBack(.sample(1), 300)
            let spent = try await test.moment()
            let refund = try #require(
                try await ledger.submit(BeginRefund.sample(of: purchase.id, feePercent: 10)).begun)
            let begun = try await test.moment()
            _ = try await ledger.submit(CompleteRefund.sample(refund))

            let cases: [(String?, [String])] = [
                (credited, ["credited", "0", "100", "0", "1000"]),
                (spent, ["partially_refunded", "300", "65", "0", "650"]),
                (begun, ["partially_refunded", "300", "0", "65", "650"]),
                // Not all the money went back, for a fee was kept and some was spent; nor all coins.
                (nil, ["partially_refunded", "885", "0", "0", "0"]),
            ]
            for (end, expected) in cases {
                let options: [ExportOption: String] = end.map { [.to: $0] } ?? [:]
                let listed = try #require(try await ledger.export(.purchases, options).records.first)
                let lot = try #require(try await ledger.export(.lots, options).records.first { $0["kind"] == "paid" })
                let found = [
                    listed["status"], listed["refunded_amount"], lot["remaining"], lot["held"], lot["deferred"],
                ]
                #expect(found == expected, "\(end ?? "now")")
            }
        }
    }

    @Test func `a purchase of which all coins went back is refunded, fee or not`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try #require(try await ledger.credit(.sample(1)).credited?.purchase)
            let refund = try #require(
                try await ledger.submit(BeginRefund.sample(of: purchase.id, feePercent: 10)).begun)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            let end = try await test.moment()
            for options in [[ExportOption.to: end], [:]] {
                let listed = try #require(try await ledger.export(.purchases, options).records.first)
                #expect(listed["status"] == "refunded" && listed["refunded_amount"] == "900")
            }
        }
    }
}

/// A period in which everything is under way.
private struct Past {
    private let refund: Refund
    private let held: Hold

    init(_ ledger: Ledger) async throws {
        for number in 1...6 { _ = try await ledger.credit(.sample(number, by: "user-\(number)")) }
        let refunded = try #require(try await ledger.purchases.find(of: CreditPurchase.sample(1).payment))
        refund = try #require(
            try await ledger.submit(BeginRefund.sample(of: refunded.id, by: "user-1", coins: 40)).begun)
        try await ledger.clawBack(.sample(2, by: "user-2"), 200)
        held = try #require(try await ledger.submit(PlaceHold.sample(by: "user-3", coins: 30)).placed?.hold)
        _ = try await ledger.submit(Spend.sample(by: "user-4", coins: 20))
        _ = try await ledger.credit(.expiring(7))
    }

    /// What comes after it, some of it late.
    func goOn(_ ledger: Ledger) async throws {
        let paidAt = CreditPurchase.sample().paidAt
        _ = try await ledger.submit(
            CompleteRefund(user: refund.user, refundID: refund.id, cancelledAt: paidAt + 60))
        try await ledger.clawBack(.sample(2, by: "user-2"), 700)
        try await ledger.clawBack(.sample(4, by: "user-4"), 1000)
        _ = try await ledger.submit(CaptureHold.sample(of: held.id, by: "user-3", coins: 20, isFinal: true))
        _ = try await ledger.submit(Spend.sample("spend-2", by: "user-5", coins: 110))
        try await ledger.expireLots()
        _ = try await ledger.credit(.sample(8, by: "user-4"))
        _ = try await ledger.submit(Grant.sample(to: "user-6"))
        let statement = try SettlementFileDraft.sample([("imp_6", 1000, 30, 3, "2026-01-03")])
        #expect(try await ledger.settlements.book(statement, by: "finance").settledNow == 1)
        for (former, user) in [("user-4", "user-1"), ("user-5", "user-6"), ("user-2", "user-6"), ("user-6", "user-1")] {
            #expect(try await ledger.submit(MergeUsers.sample(former, former, into: user)).success != nil)
        }
        let rename = MergeUsers.sample("rename", "user-3", into: "user-9", isRename: true)
        #expect(try await ledger.submit(rename).success != nil)
    }
}

extension CreditPurchase {
    /// Coins whose time is up since long.
    fileprivate static func expiring(_ number: Int) -> CreditPurchase {
        .sample(number, by: "user-\(number)", expiresAt: CreditPurchase.sample(number).paidAt + 60)
    }
}

extension Ledger {
    /// Follows what the gateway has cancelled of a payment in all.
    fileprivate func clawBack(_ purchase: CreditPurchase, _ amount: Int64) async throws {
        let command = ClawBack.sample(of: purchase, amount)
        #expect(try await submit(command).clawedBack != nil)
    }
}

extension TestLedger {
    /// A moment after all that was recorded, and before all that will be, as an option.
    fileprivate func moment() async throws -> String {
        try await emptyMillisecond().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Closes all that was recorded, and tells the end.
    func closeEverything(_ ledger: Ledger) async throws -> String {
        let end = try await moment()
        let until = try Date(end, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        guard case .closed = try await ledger.periods.close(until: until, by: "kim") else {
            Issue.record("it was not closed")
            return end
        }
        return end
    }
}

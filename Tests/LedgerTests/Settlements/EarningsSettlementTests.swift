import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What Google Play pays out is booked by the ids of its orders, and settles what Google owes.
@Suite(.timeLimit(.minutes(20))) struct EarningsSettlementTests {
    private static func order(_ number: Int) -> String { sure(PaymentIdentity.sampleAtPlay(number).merchantPaymentID) }

    private static func charged(_ number: Int) -> [(order: String, kind: String, won: String)] {
        [(order(number), "Charge", "1000"), (order(number), "Google fee", "-150")]
    }

    private static func refunded(_ number: Int) -> [(order: String, kind: String, won: String)] {
        [(order(number), "Charge refund", "-1000"), (order(number), "Google fee refund", "150")]
    }

    private static func totals(_ test: TestLedger) async throws -> [String: Int64] {
        var totals: [String: Int64] = [:]
        for account in ["google-play:receivable", "gateway:receivable", "bank", "gateway:fees"] {
            totals[account] = try await test.total(account)
        }
        return totals
    }

    private static func lines(
        _ ledger: Ledger, _ report: SettlementReport
    ) async throws -> [(SettlementLine.Status, String?)] {
        try await ledger.settlements.listLines(of: report.file.id, limit: 20).elements.map { ($0.status, $0.reason) }
    }

    @Test func `an order is settled gross, with Google's fee as cost, on the day of the payout`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1)))
            let report = try await ledger.settlements.book(try EarningsFile(Self.charged(1)).draft(), by: "finance")
            #expect(report.settledNow == 1 && report.file.settled.net == 850)
            #expect(
                try await Self.totals(test)
                    == ["google-play:receivable": 0, "gateway:receivable": 0, "bank": 850, "gateway:fees": 150])
            let line = try #require(try await ledger.settlements.listLines(of: report.file.id, limit: 2).elements.first)
            let entry = try #require(try await ledger.journal.find(sure(line.journalEntryID)))
            #expect(entry.kind == "settlement" && entry.reference == "purchase:\(sure(line.purchaseID))")
            #expect(entry.effectiveAt == (try Date("2026-02-14T15:00:00Z", strategy: .iso8601)))
            #expect(try await ledger.settlements.listOutstanding(limit: 10).payments.isEmpty)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a refund is kept back with its fee, and an unknown order is for a person`() async throws {
        try await TestLedger.with { ledger, test in
            let sold = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1)))
            _ = try await ledger.submit(ClawBack(user: sold.user, payment: sold.payment, cancelledAmount: 1000))
            let file = EarningsFile(Self.charged(1) + Self.refunded(1) + Self.charged(2))
            let report = try await ledger.settlements.book(try file.draft(), by: "finance")
            #expect(report.settledNow == 2 && report.file.lines[.unmatched] == 1)
            #expect(
                try await Self.totals(test)
                    == ["google-play:receivable": 0, "gateway:receivable": 0, "bank": 0, "gateway:fees": 0])
            let open = try await ledger.settlements.listUnmatched(limit: 10).elements
            #expect(open.map(\.payment) == [Self.order(2)])
            #expect(try await ledger.settlements.listReturned(limit: 10).elements.isEmpty)

            // Its purchase is credited after all.
            _ = try await ledger.buy(.sample(2, by: "bob", payment: .sampleAtPlay(2)))
            #expect(try await ledger.settlements.listReturned(limit: 10).elements.map(\.payment) == [Self.order(2)])
            let (booked, of) = try await ledger.settlements.matchAgain()
            #expect(booked == 1 && of == 1)
            #expect(try await Self.totals(test)["google-play:receivable"] == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the same rows in another file, or for another payout, are not booked again`() async throws {
        try await TestLedger.with { ledger, test in
            let sold = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1)))
            _ = try await ledger.submit(ClawBack(user: sold.user, payment: sold.payment, cancelledAmount: 1000))
            let rows = EarningsFile(Self.charged(1) + Self.refunded(1))
            var report = try await ledger.settlements.book(try rows.draft(), by: "finance")
            #expect(report.settledNow == 2)
            report = try await ledger.settlements.book(try rows.draft(paidOutOn: "2026-02-16"), by: "finance")
            #expect(report.settledNow == 0 && report.file.lines[.settled] == 2)
            // The same month, downloaded once more with a row that is new.
            let more = EarningsFile(Self.charged(1) + Self.refunded(1) + Self.charged(9))
            report = try await ledger.settlements.book(try more.draft(paidOutOn: "2026-02-16"), by: "finance")
            #expect(report.settledNow == 0)
            let lines = try await Self.lines(ledger, report)
            #expect(lines.map(\.0) == [.refused, .refused, .unmatched])
            #expect(lines.map(\.1) == ["already_settled", "already_settled", nil])
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE kind = 'settlement'") == 2)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a payout before the purchase, and more than was paid, are refused with the reason`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1)))
            let early = try EarningsFile(Self.charged(1)).draft(paidOutOn: "2025-12-15")
            var lines = try await Self.lines(ledger, try await ledger.settlements.book(early, by: "finance"))
            #expect(lines.map(\.1) == ["paid_out_before_payment"])
            let high = try EarningsFile([(Self.order(1), "Charge", "1001")]).draft()
            lines = try await Self.lines(ledger, try await ledger.settlements.book(high, by: "finance"))
            #expect(lines.map(\.1) == ["exceeds_payment"])
            #expect(try await Self.totals(test)["google-play:receivable"] == 1000)
        }
    }

    @Test func `the order of a purchase at another gateway is no name of it`() async throws {
        try await TestLedger.with { ledger, _ in
            let payment = PaymentIdentity(
                gateway: "portone-v2", paymentID: "tx-1", merchantUID: "order-1", merchantPaymentID: "GPA.1")
            _ = try await ledger.buy(.sample(1, payment: payment))
            let report = try await ledger.settlements.book(
                try EarningsFile([("GPA.1", "Charge", "1000")]).draft(), by: "finance")
            #expect(report.file.lines[.unmatched] == 1)
        }
    }

    @Test func `a tax that Google keeps of a sale is a cost, and no input VAT`() async throws {
        try await TestLedger.with(vat: VATSettings(isBooked: true)) { ledger, test in
            _ = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1)))
            _ = try await ledger.buy(.sample(2))
            let rows = Self.charged(1) + [(order: Self.order(1), kind: "Tax", won: "-91")]
            let report = try await ledger.settlements.book(try EarningsFile(rows).draft(), by: "finance")
            #expect(report.settledNow == 1 && report.file.settled.tax == 91)
            #expect(try await test.total("gateway:fees") == 241)
            #expect(try await test.total("tax:vat-input") == 0)
            _ = try await ledger.settlements.book(.sample([("imp_2", 1000, 30, 3, "2026-11-20")]), by: "finance")
            #expect(try await test.total("tax:vat-input") == 3)
            try await Audit.expectSound(test)
        }
    }
}

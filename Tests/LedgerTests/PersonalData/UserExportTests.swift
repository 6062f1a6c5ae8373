import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What a user gets who asks what is held about them.
@Suite(.timeLimit(.minutes(20))) struct UserExportTests {
    private static func lines(of user: String, in ledger: Ledger) async throws -> [String] {
        var bytes: [UInt8] = []
        try await ledger.exports.begin(of: .named(user)).get().run { bytes += $0 }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.last == #"{"rows": \#(lines.count - 1)}"#)
        return lines.dropLast()
    }

    @Test func `all that is held about a user is exported, and nothing about others`() async throws {
        try await TestLedger.with { ledger, _ in
            for (number, user) in ["kim", "lee"].enumerated() {
                _ = try await ledger.buy(.sample(number + 1, by: user))
                _ = try await ledger.notes.add(
                    "\(user) called", on: .named(user), key: user, by: "support-1", named: "Suho Park")
            }
            _ = try await ledger.submit(PlaceHold.sample("h", by: "kim", coins: 10))
            try await ledger.retries.claim(.sample(21), of: .named("kim"), because: "payment_failed")

            let lines = try await Self.lines(of: "kim", in: ledger)
            for table in [
                "account", "customer_note", "hold", "hold_lot", "journal_entry", "lot", "lot_movement", "posting",
                "purchase",
                "receipt_retry",
            ] {
                #expect(lines.contains { $0.contains(#""table": "\#(table)""#) }, "\(table)")
            }
            #expect(lines.contains { $0.contains(#""text": "kim called""#) })
            #expect(!lines.contains { $0.contains("lee") || $0.contains("support-1") || $0.contains("Suho Park") })
        }
    }

    @Test func `who of the shop's people works on a finding or decided a dispute is not exported`() async throws {
        try await TestLedger.with { ledger, _ in
            let purchase = try await ledger.buy(.sample(1, by: "kim", bonus: 0))
            let dispute = try await ledger.submit(RecordDispute.sample(of: purchase)).disputed?.dispute
            let finding = try #require(try await ledger.findings.list(limit: 9).elements.first)
            try await ledger.findings.act(.assign, on: finding.id, by: "lead-1", whom: "suho.park")
            _ = try await ledger.submit(DecideDispute.sample(on: dispute, isWon: false))

            let lines = try await Self.lines(of: "kim", in: ledger)
            #expect(lines.contains { $0.contains(#""act": "assign""#) && $0.contains(#""whom": null"#) })
            #expect(
                lines.contains { $0.contains("purchase.dispute_resolved") && $0.contains(#""outcome": "lost""#) })
            for name in ["lead-1", "suho.park", "decided_by", "assigned_to"] {
                #expect(!lines.contains { $0.contains(name) }, "\(name)")
            }
        }
    }

    @Test func `a finding about a user's order or purchase is exported, and not who else is named in it`() async throws
    {
        try await TestLedger.with { ledger, _ in
            let purchase = try await ledger.buy(.sample(1, by: "kim"))
            let product = try await ledger.products.add(
                ProductDraft(
                    code: "coins_100", title: "100 Coin", price: sure(Price(won: 1000)), coins: sure(Coins(100)),
                    bonusCoins: nil))
            _ = try await ledger.orders.make(
                OrderDraft(
                    user: .named("kim"), merchantUID: "order_2", gateway: "portone-v1", product: product,
                    lifetime: .seconds(3600)))
            _ = try await ledger.buy(.sample(3, by: "ann"))
            func note(_ kind: Finding.Kind, _ payment: PaymentIdentity, of user: UserID? = nil) async throws {
                try await ledger.findings.note(
                    kind, payment, of: user, amount: 1000, currency: "KRW", paidAt: nil, named: .named("lee"))
            }
            try await note(.disputeUnreadable, purchase.payment)
            try await note(.partiallyCancelled, .sample(2), of: .named("lee"))
            try await note(.disputeUnreadable, .sample(3))

            let lines = try await Self.lines(of: "kim", in: ledger).filter { $0.contains(#""table": "finding""#) }
            #expect(lines.count == 2 && lines.allSatisfy { !$0.contains("lee") }, "\(lines)")
            #expect(["imp_1", "imp_2"].allSatisfy { id in lines.contains { $0.contains(id) } })
        }
    }

    @Test func `a user of whom nothing is held has an export without rows, which can be asked for again`() async throws
    {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.buy(.sample(1, by: "kim"))
            for _ in 0...Exports.most {
                #expect(try await Self.lines(of: "ki", in: ledger) == [])
            }
        }
    }

    @Test func `exports of users and reports share their limit`() async throws {
        try await TestLedger.with { ledger, _ in
            var running: [UserExport] = []
            for _ in 1...Exports.most {
                running.append(try await ledger.exports.begin(of: .named("kim")).get())
            }
            let refused = try await ledger.exports.begin(of: .named("kim"))
            #expect(throws: ExportRefusal.tooMany) { try refused.get() }
            let request = try ExportRequest(.journal, in: .gmt)
            let report = try await ledger.exports.begin(request)
            #expect(throws: ExportRefusal.tooMany) { try report.get() }
            for export in running { try await export.run { _ in } }
        }
    }
}

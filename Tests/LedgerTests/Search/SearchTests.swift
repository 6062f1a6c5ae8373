import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What support is told of a payment or a customer leads to all that is known of it.
@Suite(.timeLimit(.minutes(20))) struct SearchTests {
    private static let gateways = ["portone-v1", "portone-v2"]

    private static func found(_ name: String, _ ledger: Ledger) async throws -> [SearchHit.Kind] {
        try await ledger.search.named(name, gateways: gateways).map(\.kind).sorted { $0.rawValue < $1.rawValue }
    }

    @Test func `a payment without coins is found by its names and numbers, in all that was stored of it`() async throws
    {
        try await TestLedger.with { ledger, test in
            let payment = PaymentIdentity.sample()
            try await FindingsTests.note(.amountMismatch, payment, of: .named("bob"), in: ledger)
            try await ledger.retries.claim(payment, of: .named("ann"), because: "amount_mismatch")
            let event = WebhookRecordDraft(
                gateway: "portone-v1", eventID: nil, type: "paid", paymentID: "imp_1", merchantUID: "order_1",
                merchantPaymentID: nil)
            #expect(try await ledger.webhooks.store(event) == .stored)
            let v2 = WebhookRecordDraft(
                gateway: "portone-v2", eventID: "e", type: "Transaction.Paid", paymentID: "tx_2", merchantUID: nil,
                merchantPaymentID: "order_2")
            #expect(try await ledger.webhooks.store(v2) == .stored)

            for name in ["imp_1", "order_1"] {
                let hits = try await ledger.search.named(name, gateways: Self.gateways)
                #expect(try await Self.found(name, ledger) == [.finding, .receipt, .webhook], "\(name)")
                let finding = try #require(hits.first { $0.kind == .finding })
                #expect(finding.user == .named("bob") && finding.amount == 1000 && finding.currency == "KRW")
                #expect(finding.state == "amount_mismatch" && finding.detail == "open")
                let receipt = try #require(hits.first { $0.kind == .receipt })
                #expect(receipt.state == "refused" && receipt.detail == "amount_mismatch")
                #expect(receipt.user == .named("ann"))
            }
            #expect(try await Self.found("tx_2", ledger) == [.webhook])
            #expect(try await Self.found("order_2", ledger) == [.webhook])
            for kind in ["finding", "receipt_retry"] {
                let id = try await test.number("SELECT id FROM \(kind)")
                #expect(try await Self.found("\(id)", ledger).contains(kind == "finding" ? .finding : .receipt))
            }
            // The API's search is of customers: a finding and an event are nobody's.
            #expect(try await ledger.search.find("imp_1", gateways: Self.gateways).map(\.kind) == [.receipt])
            #expect(try await ledger.search.named("imp\u{0}", gateways: Self.gateways).isEmpty)
        }
    }

    @Test func `users are found by the beginning of their id, each once, wherever they are known from`() async throws {
        try await TestLedger.with { ledger, _ in
            for (number, user) in ["kim", "kim.a", "kim.b", "kin"].enumerated() {
                _ = try await ledger.buy(.sample(number + 1, by: user))
                _ = try await ledger.buy(.sample(number + 11, by: user))
            }
            try await ledger.retries.claim(.sample(21), of: .named("kim.a"), because: "payment_failed")
            try await ledger.retries.claim(.sample(22), of: .named("kim.c"), because: "payment_failed")
            try await FindingsTests.note(.unclaimed, .sample(23), of: .named("kim.한"), in: ledger)
            func users(_ text: String) async throws -> [String?] {
                let hits = try await ledger.search.users(beginningWith: text)
                #expect(hits.allSatisfy { $0.kind == .user && $0.id == nil })
                return hits.map { $0.user?.rawValue }
            }
            #expect(try await users("kim") == ["kim", "kim.a", "kim.b", "kim.c", "kim.한"])
            #expect(try await users("kim.") == ["kim.a", "kim.b", "kim.c", "kim.한"])
            #expect(try await users("kim.한") == ["kim.한"])
            for text in ["K", "", "%", "ki_"] { #expect(try await users(text).isEmpty, "\(text)") }
        }
    }

    @Test func `payments are found by amount and time, purchases and findings`() async throws {
        try await TestLedger.with { ledger, _ in
            let day = Date(timeIntervalSince1970: 1_767_225_600)
            for (number, won) in [1000, 1000, 5000].enumerated() {
                _ = try await ledger.buy(
                    .sample(number + 1, won: Int64(won), paidAt: day + Double(number) * 3600))
            }
            try await FindingsTests.note(.unclaimed, .sample(9), amount: 1000, paidAt: day + 60, in: ledger)
            func found(_ amount: Int64?, _ from: Double, _ to: Double) async throws -> [SearchHit.Kind] {
                try await ledger.search.paid(amount, in: Period(from: day + from, to: day + to)).map(\.kind)
            }
            #expect(try await found(1000, 0, 86_400) == [.purchase, .purchase, .finding])
            #expect(try await found(nil, 0, 86_400) == [.purchase, .purchase, .purchase, .finding])
            #expect(try await found(1000, 0, 3600) == [.purchase, .finding])
            #expect(try await found(1000, 0, 60) == [.purchase], "the end does not belong to it")
            #expect(try await found(5000, 7200, 7201) == [.purchase])
            #expect(try await found(999, 0, 86_400).isEmpty)
        }
    }
}

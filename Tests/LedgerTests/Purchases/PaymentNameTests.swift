import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A payment that two APIs show is credited under one name, and is then known under the other too.
@Suite(.timeLimit(.minutes(20))) struct PaymentNameTests {
    private static let first = CreditPurchase.sample()
    private static let other = PaymentIdentity.sampleInV2()
    private static let presented = PaymentIdentity.sampleInV2(paymentID: "order_1")

    private static func seen(amount: Int64 = 1000) -> PaymentSighting {
        PaymentSighting(of: other, amount: amount, currency: "KRW", paidAt: first.paidAt + 0.4)
    }

    @Test func `a name is kept when the gateway shows it, and finds the purchase everywhere`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(Self.first)
            func settled(_ name: String) async throws -> [Purchase] {
                try await ledger.settlements.purchases(named: [name])[ExactText(name)] ?? []
            }
            func expect(_ isKnown: Bool) async throws {
                let found = isKnown ? [purchase] : []
                for name in [Self.other, Self.presented] {
                    #expect(try await ledger.purchases.find(of: name) == found.first)
                }
                let untimed = PaymentSighting(of: Self.other, amount: 1000, currency: "KRW", paidAt: nil)
                #expect(try await ledger.purchases.find(of: untimed) == found.first)
                #expect(try await ledger.purchases.list(named: .paymentID("tx_1")).map(\.purchase) == found)
                #expect(
                    try await ledger.search.find("tx_1", gateways: ["portone-v1", "portone-v2"]).compactMap(\.id)
                        == found.map(\.id))
                #expect(try await settled("tx_1") == found)
                // The purchase's own names find it once.
                #expect(try await ledger.purchases.list(named: .paymentID("imp_1")).map(\.purchase) == [purchase])
                #expect(try await ledger.purchases.list(named: .merchantUID("order_1")).map(\.purchase) == [purchase])
                #expect(try await ledger.purchases.list(named: .paymentID("order_1")).isEmpty)
                for name in ["imp_1", "order_1"] {
                    #expect(try await settled(name) == [purchase])
                    #expect(
                        try await ledger.search.find(name, gateways: ["portone-v1", "portone-v2"]).compactMap(\.id) == [
                            purchase.id
                        ])
                }
            }
            #expect(try await ledger.purchases.find(of: Self.seen()) == purchase)
            #expect(try await ledger.purchases.recognise(Self.seen(amount: 999)) == nil)
            try await expect(false)
            #expect(try await test.number("SELECT count(*) FROM payment_name") == 0)
            for _ in 1...2 {
                #expect(try await ledger.purchases.recognise(Self.seen()) == purchase)
                try await expect(true)
            }
            #expect(try await test.number("SELECT count(*) FROM payment_name") == 2)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a payment of which a finding has the other name is found by it`() async throws {
        try await TestLedger.with { ledger, _ in
            try await ledger.findings.note(
                .unclaimed, Self.other, of: nil, amount: 1000, currency: "KRW", paidAt: Self.first.paidAt + 0.4)
            let purchase = try await ledger.buy(Self.first)
            #expect(
                try await ledger.search.find("tx_1", gateways: ["portone-v1", "portone-v2"]).compactMap(\.id) == [
                    purchase.id
                ])
            #expect(try await ledger.purchases.list(named: .paymentID("tx_1")).map(\.purchase) == [purchase])
            #expect(try await ledger.settlements.purchases(named: ["tx_1"]) == [ExactText("tx_1"): [purchase]])
        }
    }

    @Test func `two processes keep a name once, and its finding is closed once`() async throws {
        try await TestLedger.with { one, test in
            let two = try await test.open()
            let purchase = try await one.buy(Self.first)
            try await one.findings.note(
                .merchantUIDAlreadyCredited, Self.other, of: nil, amount: 1000, currency: "KRW",
                paidAt: Self.first.paidAt + 0.4)
            let found = try await together(16) { number in
                try await (number < 8 ? one : two).purchases.recognise(Self.seen())
            }
            #expect(found.allSatisfy { $0 == purchase })
            await two.close()
            #expect(try await test.number("SELECT count(*) FROM payment_name") == 2)
            #expect(try await test.number("SELECT count(*) FROM finding WHERE resolved_at IS NULL") == 0)
            #expect(try await test.number("SELECT count(*) FROM occurrence WHERE type = 'finding.closed'") == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `another purchase's own name is not kept`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(Self.first)
            let another = try await ledger.buy(.sample(2, payment: .sampleInV2(2)))
            let name = PaymentIdentity(gateway: "portone-v2", paymentID: "tx_2", merchantUID: "order_1")
            try await ledger.purchases.keep(name, of: purchase)
            #expect(try await ledger.purchases.find(of: name) == another)
            #expect(try await test.number("SELECT count(*) FROM payment_name") == 0)
        }
    }

    @Test func `the database refuses a name that does not fit its purchase`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(Self.first)
            _ = try await ledger.buy(.sample(2))
            let service = try await test.connectAsService()
            let misfits = [
                "'tx_1', 'portone-v2', 'order_2', \(purchase.id)",  // another order
                "'imp_9', 'portone-v1', 'order_1', \(purchase.id)",  // another payment at the purchase's own gateway
                "'tx_1', 'portone-v2', 'order_1', \(purchase.id + 900_000)",  // no purchase
            ]
            for misfit in misfits {
                let error = await service.refusal(
                    of: "INSERT INTO payment_name (imp_uid, gateway, merchant_uid, purchase_id) VALUES (\(misfit))")
                #expect(error?.constraint == "payment_name_fits_purchase", "\(misfit): \(error?.description ?? "done")")
            }
            await service.close()
        }
    }
}

import TestSupport
import Testing

/// `ledgerd verify` shows what the gateway and the books say of a payment, and changes nothing.
@Suite(.serialized, .timeLimit(.minutes(20))) struct VerifyTests {
    @Test func `verify shows the verdict and writes nothing`() async throws {
        try await House.open { house, gateway, service in
            let credited = try await service.credited(try await gateway.pay())
            let cancelledAfter = try await service.credited(try await gateway.pay())
            try await gateway.change(cancelledAfter, to: "cancelled")
            let cancelled = try await gateway.pay()
            try await gateway.change(cancelled, to: "cancelled")
            let odd = try await gateway.pay("1234")
            let ready = try await gateway.pay("1000", #", "status": "ready""#)
            let postings = try await house.books.postings

            let cases: [(payment: Payment, says: [String])] = [
                (
                    try await gateway.pay(),
                    ["amount     1000 KRW", "not credited", "verdict    credit as coins_100, 100 coins"]
                ),
                (.unmade(), ["refuse: payment_not_found"]),
                (cancelled, ["refuse: payment_cancelled"]),
                (odd, ["refuse: amount_mismatch", "reason     1234 KRW was paid at "]),
                (ready, ["wait: awaiting_payment"]),
                (credited, ["of ann: 100 coins, credited", "nothing to do"]),
                (cancelledAfter, ["of ann: 100 coins, credited", "has cancelled 1000 KRW more"]),
            ]
            for (payment, says) in cases {
                let (exit, output, errors) = try await house.run(
                    "verify", "--imp-uid", payment.impUID, "--merchant-uid", payment.merchantUID,
                    with: house.settings(gateway: gateway.url))
                #expect(exit == .code(0), "\(errors)")
                for text in says { #expect(output.contains(text), "\(text): \(output)") }
            }
            #expect(try await house.books.postings == postings)
            for table in ["receipt_retry", "finding", "webhook_event"] {
                #expect(try await house.books.count("SELECT count(*) FROM \(table)") == 0, "\(table)")
            }
        }
    }

    @Test func `verify looks purchases in stores up, also those that Google knows no longer`() async throws {
        try await House.openStore { house, store, service in
            let credited = try await store.buy()
            let refunded = try await store.buy()
            for bought in [credited, refunded] {
                #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            }
            try await store.change(refunded, #""act": "refund", "percentage": 50000"#)
            let unknown = try await store.buy(product: "theme", notify: false)
            let cases = [
                (credited.id, "nothing to do"), (refunded.id, "has cancelled 600 KRW more"),
                (unknown.id, "wait: unknown_store_product"), ("1", "refuse: payment_not_found"),
            ]
            for (id, says) in cases {
                let settings = house.settings().merging(store.settings) { $1 }
                let (exit, output, errors) = try await house.run("verify", "--transaction-id", id, with: settings)
                #expect(exit == .code(0) && output.contains(says), "\(says): \(output) \(errors)")
            }
        }
        try await House.openGooglePlay { house, store, service in
            let credited = try await store.buy()
            let gone = try await store.buy()
            for bought in [credited, gone] {
                #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            }
            try await store.change(gone, #""act": "refund""#)
            try await store.change(gone, #""act": "forget""#)
            let fresh = try await store.buy()
            let cases = [
                (credited.token, ", payment_id \(credited.order ?? "")"), (credited.token, "nothing to do"),
                (gone.token, "has cancelled 1200 KRW more"), (fresh.token, "verdict    credit as coins_100, 100 coins"),
                ("nobody.AO-1", "refuse: payment_not_found"),
            ]
            for (token, says) in cases {
                let settings = house.settings().merging(store.settings) { $1 }
                let (exit, output, errors) = try await house.run("verify", "--purchase-token", token, with: settings)
                #expect(exit == .code(0) && output.contains(says), "\(says): \(output) \(errors)")
            }
            #expect(try await house.books.count("SELECT count(*) FROM purchase") == 2)
        }
    }
}

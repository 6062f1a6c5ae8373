import EndToEndSupport
import Foundation
import Ledger
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

/// A payment is compared once, whichever of a gateway's APIs list it, and never passed over for its name.
@Suite(.serialized, .timeLimit(.minutes(20))) struct OnePaymentTests {
    @Test func `a payment that both APIs list is counted and found once`() async throws {
        try await Town.with { town in
            for number in 1...7 {
                try await town.gateway.control(
                    #"{"imp_uid": "imp_\#(number)", "transaction_id": "tx_\#(number)", "merchant_uid": "order-\#(number)", "#
                        + #""amount": 1000, "version": "both", "started_at": \#(Town.earlier), "paid_at": \#(Town.earlier)}"#
                )
            }
            // Credited through one API or the other; one by nobody.
            let paidAt = Date(timeIntervalSince1970: Double(Town.earlier))
            for number in 2...4 { try await town.credit(Self.v1(number), paidAt) }
            for number in 5...7 { try await town.credit(Self.v2(number), paidAt) }
            for flags in [[], ["--heal"]] {
                let report = try await town.reconcile(flags)
                #expect(report.counts["matched"] == 6 && report.counts["paid_not_credited"] == 1, "\(report.run)")
                #expect(report.kinds == ["portone-v1 imp_1": .paidNotCredited])
                #expect(report.run["differences"] == 1)
            }
            let matched = try await town.house.books.texts(
                "SELECT gateway || ' ' || imp_uid FROM reconciliation_item WHERE run_id = 1 AND kind = 'matched' ORDER BY 1"
            )
            #expect(
                matched == (2...4).map { "portone-v1 imp_\($0)" } + (5...7).map { "portone-v2 tx_\($0)" },
                "by its purchase")
            #expect(try await town.ledger.findings.list(limit: 10).elements.map(\.payment?.merchantUID) == ["order-1"])
            try await town.house.expectSound()
        }
    }

    /// V1 is compared, and only V2 can decide the receipt: no person is needed.
    @Test func `a receipt that waits under a payment's other name is waited for`() async throws {
        try await Town.with { town in
            for number in 1...2 {
                try await town.gateway.control(
                    #"{"imp_uid": "imp_\#(number)", "transaction_id": "tx_\#(number)", "merchant_uid": "order-\#(number)", "#
                        + #""amount": 1000, "version": "both", "started_at": \#(Town.earlier), "paid_at": \#(Town.earlier)}"#
                )
            }
            let presented = PaymentIdentity.sampleInV2(paymentID: "order-1", merchantUID: "order-1")
            _ = try await town.ledger.retries.keep(
                presented, of: .named("ann"), because: "gateway_unavailable",
                askAgainAfter: .seconds(3600))
            let report = try await town.reconcile(["--heal"])
            #expect(
                report.outcomes
                    == ["portone-v1 imp_1": "receipt_waits", "portone-v1 imp_2": "needs_person"], "\(report.outcomes)")
        }
    }

    /// Whatever our own rule refuses: nothing of it may be called a match.
    @Test(arguments: [[], ["--heal"]])
    func `a paid payment whose name we refuse is a difference with its amount`(_ flags: [String]) async throws {
        try await Town.with { town in
            for body in [
                #""imp_uid": "imp_1", "merchant_uid": "a\u202eb", "version": "V1""#,
                #""transaction_id": "tx_1", "merchant_uid": "a/b", "version": "V2""#,
                #""transaction_id": "tx_2", "merchant_uid": "c\u202ed", "version": "V2""#,
            ] {
                try await town.gateway.control("{\(body), \"amount\": 1000}")
            }
            let report = try await town.reconcile(flags)
            #expect(report.exit == .code(1) && report.counts["matched"] == 0)
            #expect(report.counts["paid_not_credited"] == 3 && report.run["differences"] == 3, "\(report.run)")
            #expect(
                try await town.house.books.count("SELECT sum(paid_amount)::bigint FROM reconciliation_item") == 3000)
        }
    }

    @Test func `V1's receipt takes every name that the gateway takes, and it is compared`() async throws {
        let names = ["order/1", "👩\u{200D}💻", "주문\u{3000}1", "..", "2026/11/20?a=b&c#d%2e"]
        try await Town.with { town in
            let service = try await town.house.serve(
                at: town.gateway, CoinShopApp.settings.merging(town.settings) { $1 })
            for (number, name) in names.enumerated() {
                let payment = Payment(impUID: "imp_\(number)", merchantUID: name)
                try await town.gateway.pay("1000", #", "version": "V1""#, as: payment)
                let answer = try await service.present(payment)
                #expect(answer.status == 201 && answer.purchase["merchant_uid"].text == name, "\(name): \(answer)")
                let inShop = try await service.send(
                    .post, "/v1/store/pay/validation", as: Token.user("ann"),
                    headers: [("Content-Type", "application/json"), ("SesacKey", CoinShopApp.key)],
                    body: payment.receipt)
                #expect(inShop.status == 200, "\(name): \(inShop)")
            }
            let report = try await town.reconcile()
            #expect(
                report.exit == .code(0) && report.counts["matched"].integer == Int64(names.count),
                "\(report.kinds) \(report.run)")
        }
    }

    @Test func `a period has bounds`() async throws {
        try await Town.with { town in
            let service = try await town.house.serve(at: town.gateway, town.settings)
            for (from, to, wrong) in [
                ("0001-01-01", "2026-01-01", "from"), ("1969-12-31", "1970-02-01", "from"),
                ("1926-01-01", "2026-01-01", "from"), ("2024-01-01", "2026-01-01", "to"),
                ("2025-01-01", "2026-01-03", "to"), ("9998-01-01", "9998-02-01", "from"),
                ("2026-01-02", "2026-01-02", "to"),
            ] {
                let body = #"{"from": "\#(from)", "to": "\#(to)"}"#
                let answer = try await service.post("/v1/reconciliations", body, as: Token.finance())
                #expect(answer.status == 400 && answer.code == "invalid_request" && answer.isProblem, "\(answer)")
                #expect(
                    answer.json["pointer"].text == "/\(wrong)" || answer.text.contains("/\(wrong)"),
                    "\(from) to \(to): \(answer)")
                let typed = try await town.house.run("reconcile", "--from", from, "--to", to, with: town.settings)
                #expect(
                    typed.exit == .code(64) && typed.errors.contains("--\(wrong) must"), "\(from) to \(to): \(typed)")
            }
            #expect(try await town.house.books.count("SELECT count(*) FROM reconciliation_run") == 0)
        }
    }

    private static func v1(_ number: Int) -> PaymentIdentity {
        .sample(number, merchantUID: "order-\(number)")
    }

    private static func v2(_ number: Int) -> PaymentIdentity {
        .sampleInV2(number, merchantUID: "order-\(number)")
    }
}

extension Town {
    fileprivate func credit(_ payment: PaymentIdentity, _ paidAt: Date) async throws {
        _ = try await ledger.submit(CreditPurchase.sample(payment: payment, bonus: 0, paidAt: paidAt))
    }

    fileprivate func reconcile(_ flags: [String]) async throws -> ReconcileReport {
        let child = try house.start(["reconcile", "--from", Self.from, "--to", Self.to, "--json"] + flags, settings)
        return ReconcileReport(try await child.exit(), child.standardOutput)
    }
}

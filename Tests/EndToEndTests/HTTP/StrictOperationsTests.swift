import Foundation
import OutboundHTTP
import TestSupport
import Testing

@testable import LedgerServer

/// A mistake in a request of the running service never means "all".
@Suite(.serialized, .timeLimit(.minutes(20))) struct StrictOperationsTests {
    private static let anybody = Token.make(
        sub: "ann", scope: "user service finance events support endpoints refunds:approve")

    /// What requests write.
    private static let tables = [
        "journal_entry", "idempotency", "refund", "hold", "closed_period", "payout", "payout_decision",
        "reconciliation_run", "custody_balance", "customer_note", "endpoint", "endpoint_reader", "accounting_policy",
        "adjustment", "settlement_file", "provider_terms", "dispute_decision", "finding_act", "\"order\"",
        "balance_alert", "top_up", "forgetting", "store_product", "store_account",
        "store_consent", "rate", "rate_proposal",
    ]

    private static func rows(_ house: House) async throws -> Int64 {
        try await house.books.count(
            "SELECT " + tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: " + "))
    }

    @Test func `a parameter that an operation does not know is refused, and nothing is booked`() async throws {
        try await House.open { house, gateway, service in
            let purchase = try await service.buy(try await gateway.pay())
            let hold = sure(
                try await service.post("/v1/users/ann/holds", #"{"coins": 20}"#, key: "hold").json["hold"]["id"].integer
            )
            let spend = sure(
                try await service.post("/v1/users/ann/spends", #"{"coins": 5}"#, key: "spend")
                    .json["spend"]["journal_entry_id"].integer)
            let before = try await Self.rows(house)
            // Each of these took all.
            for (path, body) in [
                ("/v1/purchases/\(purchase)/refunds?coins=10", #"{"reason": "x"}"#),
                ("/v1/holds/\(hold)/capture?coins=10", "{}"), ("/v1/spends/\(spend)/reversals?coins=1", "{}"),
                ("/v1/periods/close?zzz=1", #"{"until": "2020-01-01"}"#),
            ] {
                let answer = try await service.post(path, body, key: UUID().uuidString, as: Self.anybody)
                #expect(answer.status == 400 && answer.code == "invalid_request", "\(path): \(answer)")
                #expect(answer.json["member"].text == (path.hasSuffix("zzz=1") ? "zzz" : "coins"), "\(path): \(answer)")
            }
            for operation in LedgerServer.Operation.all where !operation.traits.contains(.ignoresUnknown) {
                let path = operation.path.replacing(/\{\w+\}/, with: String(purchase))
                let answer = try await service.send(
                    sure(.init(rawValue: operation.method.rawValue)), "\(path)?zzz=1", as: Self.anybody,
                    headers: [("Content-Type", "application/json"), ("Idempotency-Key", UUID().uuidString)],
                    body: operation.body == nil ? "" : "{}")
                #expect(
                    answer.status == 400 && answer.json["member"] == "zzz", "\(operation.method) \(path): \(answer)")
            }
            #expect(try await Self.rows(house) == before)
            try await house.expectSound()
        }
    }

    @Test func `null is refused where a member left out means all, and a repeat of an old request is answered`()
        async throws
    {
        try await House.open(HookReceiver.settings) { house, gateway, service in
            let purchase = try await service.buy(try await gateway.pay())
            func post(_ path: String, _ body: String, key: String = UUID().uuidString) async throws -> Answer {
                try await service.post(path, body, key: key, as: Self.anybody)
            }
            let hold = sure(try await post("/v1/users/ann/holds", #"{"coins": 20}"#).json["hold"]["id"].integer)
            let spend = sure(
                try await post("/v1/users/ann/spends", #"{"coins": 5}"#).json["spend"]["journal_entry_id"].integer)
            let before = try await Self.rows(house)
            let url = #""url": "https://hooks.example.com/x""#
            for (path, body, pointer) in [
                ("/v1/purchases/\(purchase)/refunds", #"{"reason": "x", "coins": null}"#, "/coins"),
                ("/v1/holds/\(hold)/capture", #"{"coins": null}"#, "/coins"),
                ("/v1/spends/\(spend)/reversals", #"{"coins": null}"#, "/coins"),
                ("/v1/users/ann/debt/write-offs", #"{"reason": "x", "coins": null}"#, "/coins"),
                (
                    "/v1/users/ann/debt/payments",
                    #"{"amount": 1, "paid_at": "2026-01-01", "bank_reference": "x", "coins": null}"#, "/coins"
                ),
                ("/v1/payouts", #"{"providers": null}"#, "/providers"),
                ("/v1/payouts", #"{"cut_off": null}"#, "/cut_off"),
                ("/v1/endpoints", "{\(url), \"users\": null}", "/users"),
                ("/v1/endpoints", "{\(url), \"types\": null}", "/types"),
            ] {
                let answer = try await post(path, body)
                #expect(answer.status == 400 && answer.code == "wrong_type", "\(path): \(answer)")
                #expect(answer.json["pointer"].text == pointer, "\(path): \(answer)")
                #expect(answer.json["detail"].text?.contains("leave it out to mean all") == true, "\(answer)")
            }
            #expect(try await Self.rows(house) == before)

            let path = "/v1/spends/\(spend)/reversals"
            let first = try await post(path, "{}", key: "old")
            let again = try await post(path, #"{"coins": null}"#, key: "old")
            #expect(first.status == 201 && again.status == 201 && again.json == first.json, "\(again)")
            #expect(again.headers["Idempotent-Replayed"] == "true")
            try await house.expectSound()
        }
    }

    @Test func `an error says what was asked, and what the key was first used for`() async throws {
        try await House.open(HookReceiver.settings) { house, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            let spent = try await service.post("/v1/users/ann/spends", #"{"coins": 5}"#, key: "k")
            #expect(spent.status == 201)
            let at = sure(
                try await house.books.texts(
                    """
                    SELECT to_char(
                        date_trunc('milliseconds', recorded_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                    FROM idempotency WHERE key = 'k'
                    """
                ).first)
            for (path, body) in [
                ("/v1/users/ann/spends", #"{"coins": 6}"#), ("/v1/users/ann/holds", #"{"coins": 5}"#),
            ] {
                let reused = try await service.post(path, body, key: "k")
                #expect(reused.status == 422 && reused.code == "idempotency_key_reused", "\(reused)")
                #expect(reused.json["used_for"] == "spend" && reused.json["used_at"].text == at, "\(reused)")
                #expect(reused.json["detail"].text == "the key was first used for a spend at \(at)")
            }
            // Another caller's key is another key.
            let other = Token.make(sub: "another", scope: "service")
            #expect(try await service.post("/v1/users/ann/spends", #"{"coins": 6}"#, key: "k", as: other).status == 201)
            for (path, first, second, purpose, token) in [
                ("/v1/users/ann/notes", #"{"text": "a"}"#, #"{"text": "b"}"#, "note", Token.support()),
                (
                    "/v1/reconciliations", #"{"from": "2020-01-01", "to": "2020-01-02"}"#,
                    #"{"from": "2020-01-01", "to": "2020-01-03"}"#, "reconciliation", Token.finance()
                ),
                ("/v1/orders", #"{"product": "coins_100"}"#, #"{"product": "coins_500"}"#, "order", Token.user("ann")),
                (
                    "/v1/custody-balances",
                    #"{"custodian": "b", "method": "trust", "balance": 1, "held_at": "2026-01-01"}"#,
                    #"{"custodian": "b", "method": "trust", "balance": 2, "held_at": "2026-01-01"}"#,
                    "custody_balance", Token.finance()
                ),
                (
                    "/v1/endpoints", #"{"url": "https://hooks.example.com/a"}"#,
                    #"{"url": "https://hooks.example.com/b"}"#, "endpoint", Token.endpoints()
                ),
            ] {
                let made = try await service.post(path, first, key: "m", as: token)
                #expect((200..<300).contains(made.status), "\(path): \(made)")
                let reused = try await service.post(path, second, key: "m", as: token)
                #expect(reused.code == "idempotency_key_reused" && reused.json["used_for"].text == purpose, "\(reused)")
                #expect(reused.json["used_at"].text?.hasSuffix("Z") == true, "\(reused)")
            }
            let unknown = try await service.post(
                "/v1/receipts", #"{"imp_uid": "imp_0", "merchant_uid": "order-0"}"#, as: Token.user("ann"))
            #expect(unknown.code == "payment_not_found" && unknown.json["gateway"] == "portone-v1", "\(unknown)")
            #expect(unknown.json["detail"].text?.contains("portone-v1") == true)
        }
    }
}

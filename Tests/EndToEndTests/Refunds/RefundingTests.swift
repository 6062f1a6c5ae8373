import OutboundHTTP
import TestSupport
import Testing

/// Payments given back over HTTP, with V1.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RefundingTests {
    @Test func `a purchase is quoted, refunded once, and shows it`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay("5000")
            let id = try await service.buy(payment)
            let quote = try await service.quote(id)
            #expect(quote.status == 200 && quote.json["refundable"] == true, "\(quote)")
            #expect(quote.json["coins"] == 500 && quote.json["bonus_coins"] == 50 && quote.json["unused_coins"] == 500)
            #expect(quote.json["value"] == 5000 && quote.json["fee"] == 0 && quote.json["amount"] == 5000)

            let first = try await service.refund(id)
            #expect(first.status == 201, "\(first)")
            let refund = first.json["refund"]
            #expect(
                refund["status"] == "completed" && refund["amount"] == 5000 && refund["reason"] == "changed her mind")
            #expect(refund["completed_at"].text != nil && refund["purchase_id"] == .integer(id))
            #expect(first.json["balance"]["total"] == 0)
            let again = try await service.refund(id)
            #expect(again.status == 201 && again.json == first.json, "\(again)")
            #expect(again.headers["Idempotent-Replayed"] == "true" && first.headers["Idempotent-Replayed"] == nil)

            let shown = try await service.get("/v1/refunds/\(sure(refund["id"].integer))", as: Token.service())
            #expect(shown.status == 200 && shown.json == refund, "\(shown)")
            let history = try await service.get("/v1/me/purchases", as: Token.user("ann"))
            #expect(history.json["purchases"].elements.map { $0["refunds"].elements } == [[refund]])
            let purchase = try await service.get("/v1/me/purchases/\(id)", as: Token.user("ann"))
            #expect(purchase.json["status"] == "refunded" && purchase.json["refunds"].elements == [refund])
            #expect(try await gateway.cancellations(payment).count == 1)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `partial refunds repeat until nothing is left, and a fee is kept`() async throws {
        try await House.open(["LEDGERD_REFUND_FEE_PERCENT": "7"]) { house, gateway, service in
            let payment = try await gateway.pay("5000")
            let id = try await service.buy(payment)
            for (number, coins) in [33, 67, 150, 249].enumerated() {
                let quote = try await service.quote(id, "?coins=\(coins)")
                let answer = try await service.refund(id, #", "coins": \#(coins)"#, key: "part-\(number)")
                #expect(answer.status == 201, "\(answer)")
                #expect(answer.json["refund"]["value"] == .integer(Int64(coins * 10)))
                for member in ["coins", "bonus_coins", "value", "fee", "amount", "currency"] {
                    #expect(answer.json["refund"][member] == quote.json[member], "\(member)")
                }
            }
            let last = try await service.refund(id, #", "coins": 2"#, key: "last")
            #expect(last.status == 422 && last.code == "exceeds_refundable", "\(last)")
            #expect(last.json["required"] == 2 && last.json["available"] == 1)
            #expect(try await service.refund(id, key: "rest").status == 201)
            let none = try await service.refund(id, key: "none")
            #expect(none.status == 422 && none.code == "nothing_to_refund", "\(none)")

            // 7% of 330, 670, 1500, 2490 and 10, each rounded down.
            #expect(try await gateway.cancelled(payment) == 5000 - 23 - 46 - 105 - 174 - 0)
            #expect(try await house.books.texts("SELECT status FROM purchase") == ["refunded"])
            #expect(try await service.coins() == 0, "the bonus coins went with the last paid one")
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `a wrong request is reported and moves nothing`() async throws {
        try await House.open { house, gateway, service in
            let id = try await service.buy(try await gateway.pay())
            let path = "/v1/purchases/\(id)/refunds"
            let postings = try await house.books.postings
            func expect(
                _ answer: Answer, _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation
            ) {
                #expect(answer.status == status && answer.code == code, "\(answer)", sourceLocation: sourceLocation)
                #expect(answer.isProblem, sourceLocation: sourceLocation)
            }
            expect(
                try await service.post(path, #"{"reason": "x"}"#, as: Token.service()), 400, "idempotency_key_missing")
            expect(try await service.post(path, #"{"reason": "x"}"#, key: "k", as: Token.user("ann")), 403, "forbidden")
            expect(try await service.post(path, "{}", key: "k"), 400, "missing_member")
            expect(try await service.post(path, #"{"reason": ""}"#, key: "k"), 400, "missing_member")
            expect(try await service.refund(id, #", "coins": 0"#), 400, "invalid_request")
            expect(try await service.refund(id, #", "coins": 1.5"#), 400, "wrong_type")
            expect(try await service.refund(id, #", "refund_account": {"bank": "004"}"#), 400, "missing_member")
            expect(try await service.refund(id + 1), 404, "not_found")
            expect(try await service.refund(id, #", "coins": 101"#, key: "k"), 422, "exceeds_refundable")
            expect(try await service.refund(id, #", "coins": 100"#, key: "k"), 422, "idempotency_key_reused")
            expect(try await service.get("/v1/refunds/77", as: Token.service()), 404, "not_found")
            expect(try await service.quote(id + 1), 404, "not_found")
            expect(try await service.quote(id, "?coins=none"), 400, "invalid_request")
            let quote = try await service.quote(id, "?coins=101")
            #expect(quote.json["refundable"] == false && quote.json["reason"] == "exceeds_refundable", "\(quote)")
            #expect(quote.json["value"] == 0 && quote.json["unused_coins"] == 100)
            #expect(try await house.books.postings == postings)
            #expect(try await gateway.journal("/payments/cancel").isEmpty)
        }
    }

    @Test func `a user in debt gets nothing back`() async throws {
        try await House.openNotified { house, gateway, service in
            let cancelled = try await gateway.pay("1000", #", "version": "V1""#)
            _ = try await service.buy(cancelled)
            let kept = try await service.buy(try await gateway.pay("1000", #", "version": "V1""#))
            #expect(try await service.post("/v1/users/ann/spends", #"{"coins": 100}"#, key: "s").status == 201)
            let hold = #"{"coins": 100, "timeout_seconds": 86400}"#
            #expect(try await service.post("/v1/users/ann/holds", hold, key: "h").status == 201)
            try await gateway.change(cancelled, to: "cancelled")
            try await eventually("it is clawed back") { try await house.books.refunded == 1000 }
            let answer = try await service.refund(kept)
            #expect(answer.status == 422 && answer.code == "user_in_debt" && answer.json["debt"] == 100, "\(answer)")
            #expect(try await service.quote(kept).json["reason"] == "user_in_debt")
            try await house.expectSound()
        }
    }

    /// The gateway can't be reached for the refund, and its console cancels all meanwhile.
    @Test func `no coins survive a payment that is cancelled whole while its refund waits`() async throws {
        try await House.openNotified(["LEDGERD_REFUND_FEE_PERCENT": "10"]) { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "version": "V1""#)
            let id = try await service.buy(payment)
            let fault = #""path": "/payments/cancel", "kind": "status", "status": 502"#
            try await gateway.fail(#"{"times": 1000, \#(fault)}"#)
            let first = try await service.refund(id)
            #expect(first.status == 202 && first.json["refund"]["amount"] == 900, "\(first)")
            try await gateway.change(payment, to: "cancelled")
            try await eventually("what the refund does not account for is clawed back") {
                try await house.books.refunded == 100
            }
            try await gateway.fail(#"{"times": 0, \#(fault)}"#)
            try await eventually("all of it went back") {
                try await house.books.makeRefundsDue()
                return try await house.books.refunded == 1000
            }
            #expect(try await house.books.refunds == ["refused"])
            #expect(try await service.coins() == 0)
            for account in ["coins:deferred-revenue", "revenue:coins", "gateway:receivable"] {
                #expect(try await house.balance(of: account) == 0, "\(account)")
            }
            try await house.expectSound()
        }
    }

    @Test func `used bonus coins are charged, and the quote shows it`() async throws {
        for (setting, charged) in [("charge", 50), ("forgive", 0)] as [(String, Int64)] {
            try await House.open(["LEDGERD_REFUND_USED_BONUS": setting]) { house, gateway, service in
                let payment = try await gateway.pay("5000")
                let id = try await service.buy(payment)
                #expect(try await service.post("/v1/users/ann/spends", #"{"coins": 50}"#, key: "s").status == 201)
                let quote = try await service.quote(id)
                #expect(quote.json["bonus_charged"] == .integer(charged) && quote.json["coins"] == 500, "\(quote)")
                #expect(quote.json["amount"] == .integer(5000 - 10 * charged), "\(quote)")
                let refund = try await service.refund(id)
                #expect(refund.status == 201, "\(refund)")
                #expect(refund.json["refund"]["bonus_charged"] == .integer(charged))
                #expect(refund.json["balance"]["total"] == 0)
                #expect(try await gateway.cancelled(payment) == 5000 - 10 * charged)
                try await house.expectAgreement(with: gateway, on: payment)
            }
        }
    }

    @Test func `a refusal of the gateway returns the coins`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "cancel_outcome": "refused""#)
            let id = try await service.buy(payment)
            let waiting = try await service.refund(id)
            #expect(waiting.status == 202 && waiting.json["refund"]["status"] == "pending", "\(waiting)")
            try await house.waitUntilDecided()
            #expect(try await gateway.journal("/payments/cancel").count == 1, "it is looked at, not asked for again")
            let first = try await service.refund(id)
            #expect(first.status == 422 && first.code == "refund_refused", "\(first)")
            #expect(first.json["reason"] == "refused_by_gateway" && first.json["gateway_code"] == "-1")
            let again = try await service.refund(id)
            #expect(again.status == 422 && again.json["refund_id"] == first.json["refund_id"])
            #expect(again.headers["Idempotent-Replayed"] == "true")
            let shown = try await service.get(
                "/v1/refunds/\(sure(first.json["refund_id"].integer))", as: Token.service())
            #expect(shown.json["status"] == "refused" && shown.json["completed_at"] == .null, "\(shown)")
            #expect(shown.json["refusal"]["reason"] == "refused_by_gateway")
            #expect(try await service.post("/v1/users/ann/spends", #"{"coins": 100}"#, key: "s").status == 201)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `a virtual account's money goes to the named account, which nobody keeps`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "pay_method": "vbank""#)
            let id = try await service.buy(payment)
            #expect(try await service.refund(id).status == 202)
            try await house.waitUntilDecided()
            let without = try await service.refund(id)
            #expect(without.status == 422 && without.code == "refund_refused", "\(without)")
            let account = #", "refund_account": {"bank": "004", "number": "110-77-4242", "holder": "홍길동"}"#
            let with = try await service.refund(id, account, key: "refund-2")
            #expect(with.status == 201 && !with.text.contains("110-77-4242"), "\(with)")
            let kept = try await house.books.count(
                """
                SELECT (SELECT count(*) FROM refund WHERE refund_account IS NOT NULL)
                    + (SELECT count(*) FROM idempotency WHERE idempotency::text LIKE '%110-77-4242%')
                    + (SELECT count(*) FROM journal_entry WHERE journal_entry::text LIKE '%110-77-4242%')
                """)
            #expect(kept == 0)
            #expect(!service.log.contains("110-77-4242"))
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `a refund waits while the gateway is away, and is then completed once`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay()
            let id = try await service.buy(payment)
            await gateway.end()
            let first = try await service.refund(id)
            #expect(first.status == 202 && first.headers["Retry-After"] != nil, "\(first)")
            #expect(first.json["refund"]["status"] == "pending" && first.json["balance"]["held"] == 100)
            let other = try await service.refund(id, key: "refund-2")
            #expect(other.status == 409 && other.code == "refund_in_progress", "\(other)")
            #expect(other.headers["Retry-After"] != nil && other.json["retryable"] == true)
            #expect(try await service.quote(id).json["reason"] == "refund_in_progress")
            let spend = try await service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "s")
            #expect(spend.code == "insufficient_coins", "\(spend)")
            let metrics = try await service.get("/metrics").text
            #expect(metrics.contains("ledgerd_refunds_waiting"))

            // Nobody knows for a day: somebody should look.
            try await house.books.execute("UPDATE refund SET requested_at = requested_at - interval '25 hours'")
            try await eventually("it is found") {
                try await house.books.makeRefundsDue()
                return try await service.findings().map { $0["kind"] } == ["refund_undecided"]
            }

            let back = try await house.startGateway(port: gateway.port)
            try await back.pay(as: payment)
            try await house.waitUntilDecided()
            try await house.books.execute("UPDATE refund SET requested_at = requested_at + interval '25 hours'")
            let again = try await service.refund(id)
            #expect(again.status == 201 && again.headers["Idempotent-Replayed"] == "true", "\(again)")
            #expect(try await service.refund(id, key: "refund-2").code == "nothing_to_refund")
            #expect(try await service.findings().isEmpty)
            #expect(try await back.cancellations(payment).count == 1)
            try await house.expectAgreement(with: back, on: payment)
        }
    }

    @Test func `coins are not reserved for a gateway that is off`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let both = try await house.serve(at: gateway, Hooks.v2Settings(at: gateway))
            let payment = try await gateway.pay("1000", #", "version": "V2""#)
            let receipt = try await both.present(paymentID: payment.merchantUID)
            let id = try #require(receipt.purchase["id"].integer, "\(receipt)")
            let first = try await both.refund(id, #", "coins": 40"#, key: "before")
            #expect(first.status == 201, "\(first)")

            let service = try await house.serve(at: gateway)
            let refused = try await service.refund(id)
            #expect(refused.status == 422 && refused.code == "gateway_off", "\(refused)")
            let quote = try await service.quote(id)
            #expect(quote.json["refundable"] == false && quote.json["reason"] == "gateway_off", "\(quote)")
            #expect(
                try await service.refund(id, #", "coins": 40"#, key: "before").json["refund"] == first.json["refund"])
            #expect(try await house.books.refunds == ["completed"])
        }
    }

    @Test func `a cancellation that V1 accepted and does not show yet is not sent again`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "cancel_outcome": "requested""#)
            let id = try await service.buy(payment)
            #expect(try await service.refund(id).status == 202)
            for _ in 0..<3 {
                let attempts = try await house.books.count("SELECT attempts FROM refund")
                try await eventually("it is asked about") {
                    try await house.books.makeRefundsDue()
                    return try await house.books.count("SELECT attempts FROM refund") > attempts
                }
            }
            #expect(try await gateway.journal("/payments/cancel").count == 1)
            #expect(try await house.books.refunds == ["pending"])
            try await gateway.settle(payment, "SUCCEEDED")
            try await house.waitUntilDecided()
            #expect(try await house.books.refunds == ["completed"])
            #expect(try await gateway.journal("/payments/cancel").count == 1)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }
}

import TestSupport
import Testing

/// Payments in dollars at PortOne that are given back by us.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ForeignRefundingTests {
    @Test(arguments: Version.allCases)
    func `three parts are cancelled in cents, and add up to the payment`(_ version: Version) async throws {
        try await House.openNotified { house, gateway, service in
            let (payment, id) = try await Self.buy("3.00", version, house, gateway, service)
            let quote = try await service.quote(id, "?coins=33")
            #expect(quote.json["foreign"]["amount"] == 99 && quote.json["foreign"]["currency"] == "USD", "\(quote)")
            #expect(quote.json["amount"] == 1373 && quote.json["currency"] == "KRW", "\(quote)")
            let parts: [(coins: Int, cents: JSON, won: JSON)] = [(33, 99, 1373), (33, 99, 1373), (34, 102, 1416)]
            for (number, part) in parts.enumerated() {
                let answer = try await service.refund(id, #", "coins": \#(part.coins)"#, key: "part-\(number)")
                let refund = answer.json["refund"]
                #expect(answer.status == 201 && refund["status"] == "completed", "\(answer)")
                #expect(refund["foreign"]["amount"] == part.cents && refund["foreign"]["fee"] == 0, "\(answer)")
                #expect(refund["amount"] == part.won && refund["fee"] == 0, "\(answer)")
                let shown = try #require(refund["id"].integer)
                #expect(try await service.get("/v1/refunds/\(shown)", as: Token.service()).json == refund)
            }
            let cancelled = try await gateway.cancellations(payment).map { $0["amount"] }
            #expect(cancelled == [.number(0.99), .number(0.99), .number(1.02)])
            let purchase = try await Self.shown(by: service)
            #expect(purchase["status"] == "refunded" && purchase["foreign"]["refunded_amount"] == 300, "\(purchase)")
            #expect(purchase["refunded_amount"] == 4162, "\(purchase)")
            try await eventually("the gateway's events are worked off") {
                try await house.books.makeAllDue()
                return try await house.books.events("waiting") == 0
            }
            #expect(try await service.coins() == 0)
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry WHERE kind = 'claw_back'") == 0)
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0, "\(owed)")
            #expect(try await service.findings().isEmpty)
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases)
    func `a whole refund keeps its fee in cents, and no least fee`(_ version: Version) async throws {
        let settings = ["LEDGERD_REFUND_FEE_PERCENT": "10", "LEDGERD_REFUND_FEE_MINIMUM": "1000"]
        try await House.openBoth(settings) { house, gateway, service in
            let (payment, id) = try await Self.buy("3.00", version, house, gateway, service)
            let answer = try await service.refund(id)
            let refund = answer.json["refund"]
            #expect(answer.status == 201 && refund["fee_rule"] == "percentage", "\(answer)")
            #expect(refund["foreign"]["amount"] == 270 && refund["foreign"]["fee"] == 30, "\(answer)")
            #expect(refund["value"] == 4162 && refund["amount"] == 3745, "\(answer)")
            #expect(try await gateway.cancellations(payment).map { $0["amount"] } == [.number(2.7)])
            #expect(try await service.coins() == 0)
            try await house.expectSound()
        }
    }

    /// V1 takes 0 and a missing amount for all that is left.
    @Test(arguments: Version.allCases)
    func `what rounds to no cent is refused, and the gateway is not asked`(_ version: Version) async throws {
        try await House.openBoth { house, gateway, service in
            let (payment, id) = try await Self.buy("0.01", version, house, gateway, service)
            for coins in [1, 10, 49] {
                let answer = try await service.refund(id, #", "coins": \#(coins)"#, key: "part-\(coins)")
                #expect(answer.status == 422 && answer.code == "nothing_to_refund", "\(coins): \(answer)")
            }
            #expect(try await gateway.cancellations(payment).isEmpty)
            #expect(try await service.coins() == 100)
            let whole = try await service.refund(id, key: "whole")
            #expect(whole.status == 201 && whole.json["refund"]["foreign"]["amount"] == 1, "\(whole)")
            #expect(try await gateway.cancellations(payment).map { $0["amount"] } == [.number(0.01)])
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases, ["reset", "lose_answer"])
    func `a cancellation without an answer is carried out once`(_ version: Version, fault: String) async throws {
        try await House.openBoth { house, gateway, service in
            let (payment, id) = try await Self.buy("3.00", version, house, gateway, service)
            let path = version == .v1 ? "/payments/cancel" : "/payments/*/cancel"
            try await gateway.fail(#"{"kind": "\#(fault)", "path": "\#(path)", "times": 1}"#)
            _ = try await service.refund(id, #", "coins": 33"#)
            try await house.waitUntilDecided()
            let again = try await service.refund(id, #", "coins": 33"#)
            #expect(again.status == 201 && again.json["refund"]["foreign"]["amount"] == 99, "\(again)")
            #expect(try await house.books.refunds == ["completed"])
            #expect(try await gateway.cancellations(payment).map { $0["amount"] } == [.number(0.99)])
            #expect(try await service.coins() == 67)
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases)
    func `what the gateway gives back later is clawed back beside the refund`(_ version: Version) async throws {
        try await House.openNotified { house, gateway, service in
            let (payment, id) = try await Self.buy("3.00", version, house, gateway, service)
            #expect(try await service.refund(id, #", "coins": 33"#).status == 201)
            try await gateway.cancel(payment, "1.00")
            // Of 100 coins, 66 are the share of $1.99.
            try await eventually("a part is taken back") { try await service.coins() == 34 }
            #expect(try await Self.shown(by: service)["foreign"]["refunded_amount"] == 199)
            try await gateway.change(payment, to: "cancelled")
            try await eventually("the rest is taken back") { try await service.coins() == 0 }
            #expect(try await Self.shown(by: service)["refunded_amount"] == 4162)
            try await house.expectSound()
        }
    }

    @Test func `a part that the gateway gives back meanwhile makes it refuse, and is clawed back afterwards`()
        async throws
    {
        try await House.openNotified { house, gateway, service in
            let (payment, id) = try await Self.buy("3.00", .v2, house, gateway, service)
            try await gateway.fail(#"{"kind": "stall", "path": "/payments/*/cancel", "delay_ms": 1500}"#)
            async let refund = service.refund(id, #", "coins": 33"#)
            try await eventually("the request is on its way") {
                try await gateway.journal("/payments/\(payment.merchantUID)/cancel").count == 1
            }
            try await gateway.cancel(payment, "1.00")
            let answer = try await refund
            #expect(answer.status == 422 && answer.json["reason"] == "balance_changed", "\(answer)")
            try await eventually("its part is clawed back") {
                try await house.books.makeAllDue()
                return try await service.coins() == 67
            }
            #expect(try await service.refund(id, key: "rest").json["refund"]["foreign"]["amount"] == 200)
            #expect(try await service.coins() == 0)
            try await house.expectSound()
        }
    }

    /// A hundred coins, paid in dollars at 1387.40, and credited to Ann.
    ///
    /// - Parameter price: in dollars.
    private static func buy(
        _ price: String, _ version: Version, _ house: House, _ gateway: Gateway, _ service: Service
    ) async throws -> (payment: Payment, id: Int64) {
        try await service.publish("1387.40")
        let cents = try #require(Int(price.filter { $0 != "." }))
        try await house.books.sell("coins_100", for: cents, "USD")
        let order = try await service.order("coins_100", in: "USD", at: version)
        let name = try #require(order.json["merchant_uid"].text, "\(order)")
        let payment = try await gateway.pay(name, price, "USD", version)
        let credited = try await service.present(payment, at: version)
        return (payment, try #require(credited.purchase["id"].integer, "\(credited)"))
    }

    private static func shown(by service: Service) async throws -> JSON {
        try await service.get("/v1/me/purchases", as: Token.user("ann")).json["purchases"].elements[0]
    }
}

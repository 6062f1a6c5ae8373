import TestSupport
import Testing

/// What is ordered beforehand is what is paid, and by whom.
@Suite(.serialized, .timeLimit(.minutes(20))) struct OrderingTests {
    @Test(arguments: Version.allCases)
    func `an order is registered at the gateway and paid for through its webhook alone`(_ version: Version) async throws
    {
        try await House.openNotified { house, gateway, service in
            let answer = try await service.order("coins_500", at: version)
            #expect(answer.status == 201, "\(answer)")
            let order = answer.json
            #expect(answer.headers["Location"] == "/v1/orders/\(try #require(order["id"].integer))")
            #expect(answer.headers["Idempotent-Replayed"] == nil)
            let name = try #require(order["merchant_uid"].text)
            #expect(name.wholeMatch(of: /order-[a-z2-7]{26}/) != nil, "\(name)")
            #expect(order["product"] == "coins_500" && order["amount"] == 5000 && order["currency"] == "KRW")
            #expect(order["coins"] == 500 && order["bonus_coins"] == 50)
            #expect(order["gateway"].text == version.gateway && order["status"] == "open")
            #expect(order.members.contains("purchase_id") && order["purchase_id"] == nil)
            #expect(order["created_at"].text?.hasSuffix("Z") == true && order["expires_at"].text != nil)

            // The window does not open for another amount than the one that was registered.
            let forged = try await gateway.attempt(name, 1000, version)
            #expect(forged.status == 409 && forged.text.contains("registered"), "\(forged)")
            #expect(try await gateway.attempt(name, 5000, version).status == 201)
            try await eventually("it is credited") { try await service.coins() == 550 }
            let path = "/v1/orders/\(try #require(order["id"].integer))"
            let paid = try await service.get(path, as: Token.user("ann")).json
            #expect(paid["status"] == "paid")
            let purchase = try await service.get("/v1/me/purchases", as: Token.user("ann")).json["purchases"].elements
            #expect(purchase.map { $0["id"] } == [paid["purchase_id"]] && purchase[0]["merchant_uid"].text == name)
            #expect(try await service.findings().isEmpty)
            try await house.expectSound()
        }
    }

    @Test(arguments: [true, false])
    func `a webhook asks the gateway once, whatever waits`(isOrdered: Bool) async throws {
        try await House.openNotified { house, gateway, service in
            let ordered = isOrdered ? try await service.order("coins_500", at: .v1).json["merchant_uid"].text : nil
            let name = ordered ?? Payment.unmade().merchantUID
            let payment = try await gateway.pay(name, 5000, .v1, #", "status": "ready", "pay_method": "vbank""#)
            #expect(try await service.present(payment).status == 202)
            try await eventually("its first event is worked off") {
                let (all, waiting) = (try await house.books.events, try await house.books.events("waiting"))
                return all == 1 && waiting == 0
            }
            try await house.books.postponeReceipts()
            let before = try await gateway.journal("/payments").count
            try await gateway.change(payment, to: "paid")
            try await eventually("it is credited") { try await service.coins() == 550 }
            try await house.settled()
            let asked = try await gateway.journal("/payments").dropFirst(before)
            #expect(asked.count == 1, "\(asked)")
            #expect(try await house.books.receipts("waiting") + house.books.events("waiting") == 0)
            #expect(try await house.books.receipts("credited") == 1)
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases)
    func `a payment of an order that nobody reports is credited by the sweep`(_ version: Version) async throws {
        try await House.withTime { time in
            // No other service pauses for so long.
            try await House.openBoth(["LEDGERD_SWEEP_INTERVAL": "7m"]) { house, gateway, service in
                let name = try #require(try await service.order("coins_100", at: version).json["merchant_uid"].text)
                try await gateway.pay(name, 1000, version)
                try await time.untilAsleep(for: .seconds(420))
                await time.advance(by: .seconds(420))
                try await eventually("it is credited") { try await service.coins() == 100 }
                #expect(try await house.books.events == 0)
                #expect(try await house.books.purchases == 1)
            }
        }
    }

    @Test(arguments: Version.allCases)
    func `what was paid while no service ran is credited when one starts`(_ version: Version) async throws {
        try await House.openBoth { house, gateway, service in
            let name = try #require(try await service.order("coins_100", at: version).json["merchant_uid"].text)
            try await service.end()
            try await gateway.pay(name, 1000, version)
            // The second sweep would come in a day.
            let settings = Hooks.v2Settings(at: gateway, secret: nil).merging(["LEDGERD_SWEEP_INTERVAL": "1d"]) { $1 }
            let again = try await house.serve(at: gateway, settings)
            try await eventually("it is credited") { try await again.coins() == 100 }
            #expect(try await house.books.events == 0)
        }
    }

    @Test(arguments: Version.allCases)
    func `a receipt of an order belongs to its user only`(_ version: Version) async throws {
        try await House.openBoth { house, gateway, service in
            let name = try #require(try await service.order("coins_100", at: version).json["merchant_uid"].text)
            let payment = try await gateway.pay(name, 1000, version)
            let stolen = try await service.present(payment, at: version, by: "bob")
            #expect(stolen.status == 409 && stolen.code == "order_belongs_to_another_user", "\(stolen)")
            #expect(stolen.isProblem)
            let finding = try await service.findings()
            #expect(finding.map { $0["kind"] } == ["order_belongs_to_another_user"] && finding[0]["user"] == "bob")
            #expect(try await house.books.postings == 0)
            let own = try await service.present(payment, at: version, by: "ann")
            #expect(own.status == 201 && own.purchase["merchant_uid"].text == name, "\(own)")
            #expect(try await service.findings().isEmpty, "its money has bought something now")
            let late = try await service.present(payment, at: version, by: "bob")
            #expect(late.status == 409 && late.code == "receipt_belongs_to_another_user", "\(late)")
            #expect(try await service.coins(of: "bob") == 0)
        }
    }

    @Test(arguments: Version.allCases)
    func `another amount than the order's buys nothing, even if it is a product's price`(
        _ version: Version
    ) async throws {
        try await House.openBoth { house, gateway, service in
            let name = try #require(try await service.order("coins_500", at: version).json["merchant_uid"].text)
            // The gateway has forgotten what was registered: the verdict does not rely on it.
            await gateway.end()
            let back = try await house.startGateway(port: gateway.port)
            let payment = try await back.pay(name, 1000, version)
            let answer = try await service.present(payment, at: version)
            #expect(answer.status == 422 && answer.code == "amount_mismatch" && answer.isProblem, "\(answer)")
            #expect(answer.json["expected_amount"].integer == 5000 && answer.json["paid_amount"].integer == 1000)
            #expect(answer.json["detail"].text?.hasSuffix("; the price of the order is 5000 KRW") == true, "\(answer)")
            #expect(try await service.findings().map { $0["kind"] } == ["amount_mismatch"])
            #expect(try await house.books.postings == 0)
        }
    }

    @Test func `the webhook of an order asks the gateway once`() async throws {
        try await House.open { house, gateway, service in
            let order = try await service.order("coins_100")
            let name = try #require(order.json["merchant_uid"].text)
            let payment = try await gateway.pay(name, 1000, .v1)
            #expect(try await service.tellV1(Hooks.v1(payment, "paid")).status == 200)
            try await eventually("it is credited") { try await service.coins() == 100 }
            try await eventually("the event is done with") { try await house.books.events("done") == 1 }
            #expect(try await gateway.journal("/payments/\(payment.impUID)").count == 1)
        }
    }

    @Test func `a second payment of an order is a finding`() async throws {
        try await House.open { house, gateway, service in
            let name = try #require(try await service.order("coins_100").json["merchant_uid"].text)
            let first = try await service.credited(try await gateway.pay(name, 1000, .v1))
            // A gateway that restarts has forgotten that the order is paid, and takes the money again.
            await gateway.end()
            let back = try await house.startGateway(port: gateway.port)
            let second = try await back.pay(name, 1000, .v1)
            let answer = try await service.present(second)
            #expect(answer.status == 409 && answer.code == "order_already_credited", "\(answer)")
            #expect(answer.json["credited_imp_uid"].text == first.impUID, "\(answer)")
            #expect(answer.json["credited_at"].text != nil)
            #expect(try await service.findings().map { $0["kind"] } == ["merchant_uid_already_credited"])
            #expect(try await service.present(first).status == 200)
            #expect(try await service.coins() == 100)
        }
    }

    @Test func `an order that had expired when its payment began is not credited`() async throws {
        try await House.openNotified(["LEDGERD_ORDER_LIFETIME": "30m"]) { house, gateway, service in
            let order = try await service.order("coins_100").json
            let lifetimes = try await house.books.texts(#"SELECT (expires_at - created_at)::text FROM "order""#)
            #expect(lifetimes == ["00:30:00"])
            let inGrace = try #require(try await service.order("coins_100").json["merchant_uid"].text)
            try await house.books.age(try #require(order["merchant_uid"].text), expiredSince: "90 minutes")
            try await house.books.age(inGrace, expiredSince: "30 minutes")
            let path = "/v1/orders/\(try #require(order["id"].integer))"
            #expect(try await service.get(path, as: Token.user("ann")).json["status"] == "expired")

            let late = try await gateway.pay(try #require(order["merchant_uid"].text), 1000, .v1)
            try await eventually("it is found") { try await service.findings().map { $0["kind"] } == ["order_expired"] }
            #expect(try await service.findings().map { $0["user"] } == ["ann"], "the order says whose money it is")
            let answer = try await service.present(late)
            #expect(answer.status == 422 && answer.code == "order_expired" && answer.isProblem, "\(answer)")
            #expect(try await house.books.postings == 0)

            try await gateway.pay(inGrace, 1000, .v1)
            try await eventually("who was let pay gets the coins") { try await service.coins() == 100 }
            try await gateway.change(late, to: "cancelled")
            try await eventually("it is no matter") { try await service.findings().isEmpty }
        }
    }

    @Test func `a virtual account opened in time is credited when the money comes`() async throws {
        try await House.openNotified { house, gateway, service in
            let order = try await service.order("coins_100").json
            let payment = try await gateway.pay(
                try #require(order["merchant_uid"].text), 1000, .v1, #", "status": "ready", "pay_method": "vbank""#)
            let waiting = try await service.present(payment)
            #expect(waiting.status == 202 && waiting.code == "awaiting_payment", "\(waiting)")
            try await house.books.execute(
                #"UPDATE "order" SET created_at = now() - interval '3 days', expires_at = now() - interval '1 minute'"#)
            try await house.books.postponeReceipts()
            try await gateway.change(payment, to: "paid")
            try await eventually("it is credited") { try await service.coins() == 100 }
            try await eventually("its receipt waits no more") { try await house.books.receipts("waiting") == 0 }
            #expect(try await house.books.purchases == 1)
        }
    }

    @Test func `where orders are required, nothing else is credited`() async throws {
        try await House.openNotified(["LEDGERD_REQUIRE_ORDERS": "true"]) { house, gateway, service in
            let stray = try await gateway.pay("1000", #", "version": "V1""#)
            try await eventually("it is found") {
                try await service.findings().map { $0["kind"] } == ["paid_unclaimed"]
            }
            let answer = try await service.present(stray)
            #expect(answer.status == 422 && answer.code == "order_not_found" && answer.isProblem, "\(answer)")
            let findings = try await service.findings()
            #expect(findings.map { $0["kind"] } == ["order_not_found"] && findings[0]["user"] == "ann")
            let v2 = try await gateway.pay("1000", #", "version": "V2""#)
            #expect(try await service.present(paymentID: v2.merchantUID).code == "order_not_found")
            let failed = try await gateway.pay("1000", #", "version": "V1", "status": "failed""#)
            #expect(try await service.present(failed).code == "order_not_found")
            #expect(try await service.findings().count == 2, "no money was taken that failed")
            #expect(try await house.books.postings == 0)

            let name = try #require(try await service.order("coins_100").json["merchant_uid"].text)
            try await gateway.pay(name, 1000, .v1)
            try await eventually("it is credited") { try await service.coins() == 100 }
        }
    }

    @Test func `receipts and webhooks at the same time credit a payment once`() async throws {
        try await House.openNotified { house, gateway, service in
            for round in 0..<10 {
                let name = try #require(try await service.order("coins_100").json["merchant_uid"].text)
                let payment = try await gateway.pay(name, 1000, .v1)
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 { group.addTask { try await service.present(payment).status } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses.allSatisfy { $0 == 200 || $0 == 201 }, "round \(round): \(statuses)")
            }
            try await eventually("all events are worked off") { try await house.books.events("waiting") == 0 }
            #expect(try await house.books.purchases == 10)
            #expect(try await service.coins() == 1000)
            #expect(try await service.findings().isEmpty)
            try await house.expectSound()
        }
    }
}

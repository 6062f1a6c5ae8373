import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Sales by the server: orders and receipts of services, payments that name their user, automatic top-up.
@Suite(.timeLimit(.minutes(20))) struct TopUpServiceTests {
    @Test(arguments: Version.allCases)
    func `a spend below the threshold charges the card once, and the coins are there`(_ version: Version) async throws {
        try await House.openBoth { house, gateway, service in
            try await service.spendBelow("ann", at: version, card: "card-of-ann")
            try await eventually("the charge is credited") { try await house.books.topUps == ["credited paid"] }
            let balance = try await service.get("/v1/users/ann/balance", as: Token.service())
            #expect(balance.json["available"] == 140, "\(balance)")
            let topUp = try await service.topUp(of: "ann")
            let charge = try #require(topUp["charges"].elements.first)
            #expect(topUp["status"] == "active" && topUp["failures"] == 0, "\(topUp)")
            #expect(charge["status"] == "credited" && charge["amount"] == 1000 && charge["purchase_id"] != .null)
            #expect(!"\(topUp)".contains("card-of-ann"), "the card's name is not told")
            let asked = try await gateway.chargesAsked()
            #expect(asked == [charge["merchant_uid"].text])
            let types = "top_up.agreed,top_up.credited"
            var events: [JSON] = []
            try await eventually("the events are numbered") {
                events = try await service.get("/v1/events?types=\(types)", as: Token.events()).json["events"].elements
                return events.count == 2
            }
            #expect(events[1]["data"]["top_up"]["charge_id"] == charge["id"], "\(events)")
            #expect(!"\(events)".contains("card-of-ann") && !service.log.contains("card-of-ann"))
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases)
    func `cards that are declined pause the consent after three failures`(_ version: Version) async throws {
        try await House.openBoth { house, gateway, service in
            try await service.spendBelow("ann", at: version, card: "declined-card")
            for number in 1...3 {
                try await eventually("charge \(number) fails") {
                    try await house.books.topUps == Array(repeating: "failed declined", count: number)
                }
                try await house.books.makeTopUpsDue()
                let spent = try await service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "\(number)")
                #expect(spent.status == 201, "\(spent)")
            }
            let topUp = try await service.topUp(of: "ann")
            #expect(topUp["status"] == "paused" && topUp["reason"] == "declined" && topUp["failures"] == 3, "\(topUp)")
            try await house.settled()
            #expect(try await house.books.topUps.count == 3)
            #expect(try await house.books.purchases == 0)
            let resumed = try await service.send(.post, "/v1/users/ann/top-up/resume", as: Token.service())
            #expect(resumed.status == 200 && resumed.json["status"] == "active" && resumed.json["failures"] == 0)
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases)
    func `a card that the gateway does not know is looked for once more before the charge fails`(
        _ version: Version
    ) async throws {
        try await House.openBoth { house, gateway, service in
            try await service.spendBelow("ann", at: version, card: "deleted-card")
            try await eventually("the refusal is stored") {
                try await house.books.topUps == ["waiting charge_refused"]
            }
            try await house.books.makeTopUpsDue()
            try await eventually("it fails") { try await house.books.topUps == ["failed charge_refused"] }
            #expect(try await gateway.chargesAsked().count == 1)
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases)
    func `an answer that is lost is looked up, and the card is not charged again`(_ version: Version) async throws {
        try await House.openBoth { house, gateway, service in
            try await gateway.fail(#"{"kind": "lose_answer", "path": "\#(version.chargePath)"}"#)
            try await service.spendBelow("ann", at: version)
            try await eventually("the charge is credited") { try await house.books.topUps == ["credited paid"] }
            #expect(try await gateway.chargesAsked().count == 1)
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases)
    func `a request that may be under way is not repeated, and is given up after its time`(
        _ version: Version
    ) async throws {
        try await House.openBoth { house, gateway, service in
            try await gateway.fail(#"{"kind": "reset", "path": "\#(version.chargePath)"}"#)
            try await service.spendBelow("ann", at: version)
            try await eventually("it is looked for") {
                try await house.books.makeTopUpsDue()
                return try await house.books.count("SELECT coalesce(max(attempts), 0) FROM top_up_charge") >= 3
            }
            #expect(try await house.books.topUps == ["waiting started"])
            #expect(try await service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "b").status == 201)
            #expect(try await house.books.topUps.count == 1, "one charge of a user is open at a time")
            try await house.books.ageTopUps()
            try await eventually("it is given up") { try await house.books.topUps == ["failed unknown"] }
            #expect(try await gateway.chargesAsked().count == 1)

            // It was carried out after all: its order is credited, and the charge with it.
            let order = try #require(try await gateway.chargesAsked().first)
            let payment = try await gateway.pay(order, 1000, version)
            let receipt = version == .v1 ? payment.receipt : #"{"payment_id": "\#(order)"}"#
            let presented = try await service.post("/v1/users/ann/receipts", receipt, as: Token.service())
            // The sweep may have credited it before.
            #expect([200, 201].contains(presented.status), "\(presented)")
            #expect(try await house.books.topUps == ["credited paid"])
            try await house.expectSound()
        }
    }

    @Test func `a revocation ends the consent, and other requests are refused`() async throws {
        try await House.openBoth { house, gateway, service in
            let path = "/v1/users/ann/top-up"
            #expect(try await service.get(path, as: Token.service()).status == 404)
            #expect(try await service.send(.delete, path, as: Token.service()).status == 404)
            #expect(try await service.agree("ann", at: .v1).json["status"] == "active")
            let paused = try await service.post(path + "/pause", #"{"reason": "away"}"#, as: Token.service())
            #expect(paused.json["status"] == "paused" && paused.json["changed_by"] == "a-service", "\(paused)")
            for _ in 1...2 {
                let revoked = try await service.send(.delete, path, as: Token.service())
                #expect(revoked.status == 200 && revoked.json["status"] == "revoked", "\(revoked)")
            }
            #expect(try await service.send(.post, path + "/resume", as: Token.service()).status == 404)
            let body =
                #"{"gateway": "portone-v1", "billing_key": "c", "product": "p", "threshold": 1, "monthly_limit": 1}"#
            let long = body.replacing(#""c""#, with: #""\#(String(repeating: "c", count: 201))""#)
            func put(_ body: String, as token: String = Token.service()) async throws -> Answer {
                try await service.send(
                    .put, path, as: token, headers: [("Content-Type", "application/json")], body: body)
            }
            #expect(try await put(body).code == "product_not_found")
            #expect(try await put(body.replacing("portone-v1", with: "paypal")).status == 400)
            #expect(try await put(long).status == 400)
            #expect(try await put(body, as: Token.user("ann")).status == 403)
            #expect(try await put(body, as: Token.make(sub: "r", scope: "service:read")).status == 403)
        }
        try await House.open { house, gateway, service in
            let off = try await service.agree("ann", at: .v2)
            #expect(off.code == "gateway_off", "\(off)")
        }
    }

    @Test func `a service orders and presents receipts for a user`() async throws {
        try await House.openBoth(["LEDGERD_REQUIRE_ORDERS": "true"]) { house, gateway, service in
            let path = "/v1/users/ann/orders"
            let order = try await service.post(path, #"{"product": "coins_100"}"#, key: "tap")
            #expect(order.status == 201, "\(order)")
            let id = try #require(order.json["id"].integer)
            let place = try #require(order.headers["Location"])
            #expect(place == "\(path)/\(id)")
            #expect(try await service.get(place, as: Token.service()).json == order.json)
            #expect(try await service.get(place.replacing("ann", with: "bob"), as: Token.service()).status == 404)
            #expect(try await service.get(place, as: Token.user("ann")).status == 403)
            let again = try await service.post(path, #"{"product": "coins_100"}"#, key: "tap")
            #expect(again.json == order.json && again.headers["Idempotent-Replayed"] == "true")
            #expect(
                try await service.order("coins_100", key: "tap").json["id"] == order.json["id"],
                "the key is the user's")
            let payment = try await gateway.pay(try #require(order.json["merchant_uid"].text), 1000, .v1)
            let presented = try await service.post("/v1/users/ann/receipts", payment.receipt, as: Token.service())
            #expect(presented.status == 201 && presented.json["balance"]["available"] == 100, "\(presented)")
            let others = try await service.post("/v1/users/bob/receipts", payment.receipt, as: Token.service())
            #expect(others.code == "receipt_belongs_to_another_user", "\(others)")
            #expect(try await service.post(path, #"{"product": "coins_100"}"#, as: Token.user("ann")).status == 403)
            try await house.expectSound()
        }
    }

    @Test(arguments: [true, false])
    func `a payment that names its user is credited without a receipt only by the setting`(isOn: Bool) async throws {
        let settings = ["LEDGERD_CREDIT_NAMED_USERS": "\(isOn)"]
        try await House.openNotified(settings) { house, gateway, service in
            let data = #", "custom_data": {"user_id": "ann"}"#
            let payment = try await gateway.pay("1000", data)
            let nobodys = try await gateway.pay("1000")
            let told = "SELECT count(*) FROM webhook_event WHERE status <> 'waiting'"
            try await eventually("both are reviewed") { try await house.books.count(told) >= 2 }
            let credited = try await house.books.texts("SELECT user_id || ' ' || merchant_uid FROM purchase")
            #expect(credited == (isOn ? ["ann \(payment.merchantUID)"] : []), "\(nobodys)")
            try await house.expectSound()
        }
    }
}

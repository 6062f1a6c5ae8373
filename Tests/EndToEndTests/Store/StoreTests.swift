import Foundation
import TestSupport
import Testing

/// The apps that exist buy coins as they always did.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StoreTests {
    @Test func `the items are texts, cheapest first`() async throws {
        try await House.open(CoinShopApp.settings) { house, _, service in
            for prefix in ["", "Bearer ", "bearer "] {
                let answer = try await service.store(.get, "/item/list", authorization: prefix + Token.user("ann"))
                #expect(answer.status == 200)
                #expect(
                    answer.json
                        == .array([
                            .object(["item": "100 Coin", "amount": "1000"]),
                            .object(["item": "500 Coin", "amount": "5000"]),
                        ]), "\(answer)")
            }
        }
    }

    @Test(arguments: CoinShopApp.allCases)
    func `a payment becomes coins once, however often the app asks`(_ app: CoinShopApp) async throws {
        try await House.open(CoinShopApp.settings) { house, gateway, service in
            let paid = Payment(impUID: Payment.unmade().impUID, merchantUID: CoinShopApp.merchantUID())
            try await gateway.pay("5000", as: paid)
            let began = Date()
            let first = try await service.validate(paid, with: app)
            #expect(first.status == 200, "\(first)")
            let purchase = try app.purchase(first)
            #expect(purchase.merchantUID == paid.merchantUID && purchase.amount == 5000 && purchase.success)
            #expect(purchase.sesacCoin == 550, "what the purchase charged, the bonus included")
            #expect((began - 1...Date()).contains(purchase.createdAt))
            let createdAt = try #require(first.json["createdAt"].text)
            #expect(createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(createdAt)")
            #expect(
                first.json.members == ["billing_id", "merchant_uid", "amount", "sesacCoin", "success", "createdAt"])

            for prefix in ["", "Bearer "] {
                let again = try await service.validate(paid, with: app, prefix: prefix)
                #expect(again.status == 200 && again.text == first.text, "\(again)")
            }
            try await service.validate(paid, with: app, by: "bob").expect("E82")
            #expect(try await house.books.purchases == 1)
            #expect(try await service.coins() == 550)
            #expect(try await service.coins(of: "bob") == 0)
            // It is the same purchase as everybody else sees.
            let known = try await service.present(paid)
            #expect(known.status == 200 && known.purchase["id"] == first.json["billing_id"], "\(known)")
            try await house.expectSound()
        }
    }

    @Test func `a form may be written in every valid way`() async throws {
        try await House.open(CoinShopApp.settings) { _, gateway, service in
            let form = "application/x-www-form-urlencoded"
            let ways: [(String, String, (Payment) -> String)] = [
                ("order-1", form, { "merchant_uid=\($0.merchantUID)&imp_uid=\($0.impUID)" }),
                ("order-2", form + ";charset=UTF-8", { "imp%5Fuid=\($0.impUID)&merchant%5fuid=\($0.merchantUID)" }),
                ("ios_한글 1", form, { "imp_uid=\($0.impUID)&merchant_uid=ios_%ED%95%9C%EA%B8%80+1" }),
                ("a+b&c=d%", form, { "imp_uid=\($0.impUID)&merchant_uid=a%2Bb%26c%3Dd%25&more=1" }),
                ("order-5", form.uppercased(), { "imp_uid=\($0.impUID)&merchant_uid=\($0.merchantUID)" }),
            ]
            for (name, type, body) in ways {
                let payment = Payment(impUID: Payment.unmade().impUID, merchantUID: name)
                try await gateway.pay(as: payment)
                let answer = try await service.validate(body(payment), type: type)
                #expect(answer.status == 200 && answer.json["merchant_uid"].text == name, "\(name): \(answer)")
            }
        }
    }

    @Test func `an expired token is renewed and the request sent again`() async throws {
        try await House.open(CoinShopApp.settings) { house, gateway, service in
            let payment = try await gateway.pay()
            let expired = Token.make(sub: "ann", scope: "user", lifetime: -10)
            try await service.validate(payment.receipt, authorization: expired).expect("E05")
            try await service.store(.get, "/item/list", authorization: "Bearer " + expired).expect("E05")
            #expect(try await house.books.postings == 0)
            #expect(try await service.validate(payment).status == 200)
        }
    }

    @Test func `waiting receipts are credited without the app`() async throws {
        try await House.open(CoinShopApp.settings) { house, gateway, service in
            let account = try await gateway.pay("1000", #", "status": "ready", "pay_method": "vbank""#)
            try await service.validate(account).expect("E82")
            #expect(try await house.books.receipts("waiting") == 1)
            try await gateway.change(account, to: "paid")
            try await eventually("it is credited") {
                try await house.books.makeReceiptsDue()
                return try await service.coins() == 100
            }
            #expect(try await service.validate(account).status == 200)

            await gateway.end()
            let lost = Payment.unmade()
            try await service.validate(lost, with: .lilac).expect("E99", 500)
            #expect(try await house.books.receipts("waiting") == 1)
            let back = try await house.startGateway(port: gateway.port)
            try await back.pay(as: lost)
            try await eventually("it is credited") {
                try await house.books.makeReceiptsDue()
                return try await service.coins() == 200
            }
            #expect(try await service.validate(lost, with: .lilac).status == 200)
            #expect(try await house.books.purchases == 2)
        }
    }

    @Test func `of two users whose apps invent the same name in one second, the second is refused and a finding`()
        async throws
    {
        try await House.open(CoinShopApp.settings) { house, gateway, service in
            let name = CoinShopApp.merchantUID()
            let payments = (0..<2).map { _ in Payment(impUID: Payment.unmade().impUID, merchantUID: name) }
            // Both windows are open before either payment is made.
            for payment in payments { try await gateway.pay("1000", #", "status": "ready""#, as: payment) }
            for payment in payments { try await gateway.change(payment, to: "paid") }
            #expect(try await service.validate(payments[0], by: "ann").status == 200)
            try await service.validate(payments[1], by: "bob").expect("E82")
            let findings = try await service.findings()
            #expect(findings.map { $0["kind"] } == ["merchant_uid_already_credited"] && findings[0]["user"] == "bob")
            #expect(try await service.coins(of: "bob") == 0)
        }
    }

    @Test func `where orders are required, the apps can't buy`() async throws {
        let settings = CoinShopApp.settings.merging(["LEDGERD_REQUIRE_ORDERS": "true"]) { $1 }
        try await House.open(settings) { house, gateway, service in
            try await service.validate(gateway.pay()).expect("E82")
            #expect(try await service.findings().map { $0["kind"] } == ["order_not_found"])
            #expect(try await house.books.postings == 0)
        }
    }
}

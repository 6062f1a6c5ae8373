import LedgerTestSupport
import TestSupport
import Testing

/// Every error of the apps' contract, in order of precedence.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StoreRefusalsTests {
    private static let nowhere = #"{"imp_uid": "imp_1", "merchant_uid": "order-1"}"#

    /// Each begins where the one before ends.
    private static let cases: [(name: String, check: @Sendable (House, Gateway, Service) async throws -> Void)] = [
        ("an unknown path is reported first", unknownPath),
        ("the app key is checked before the token", appKey),
        ("the token is checked before the body", token),
        ("a body that is no receipt is malformed", body),
        ("what the gateway says against the payment is reported in two ways", payment),
    ]

    @Test func `a request is refused with the first error that applies`() async throws {
        try await House.open(CoinShopApp.settings) { house, gateway, service in
            for (name, check) in Self.cases {
                await house.check(name) { try await check(house, gateway, service) }
            }
        }
    }

    private static func unknownPath(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        for path in ["", "/", "/item", "/item/lists", "/pay/validation/1"] {
            try await service.store(.get, path, key: nil, authorization: nil).expect("E97")
            try await service.store(.post, path).expect("E97")
        }
        let refused = try await service.store(.post, "/item/list", key: nil)
        refused.expect("E97")
        #expect(refused.headers["Allow"]?.contains("GET") == true)
        try await service.store(.get, "/pay/validation").expect("E97")
        let neighbour = try await service.get("/v1/storefront")
        #expect(neighbour.status == 404 && neighbour.isProblem, "another's path is no path of the apps")
    }

    private static func appKey(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        for key in [
            nil, "", "wrong", "sesac-app-ke", "sesac-app-key2", "SESAC-APP-KEY", "another-app,sesac-app-key",
        ] {
            try await service.store(.get, "/item/list", key: key).expect("E01")
            try await service.validate("", key: key, authorization: nil).expect("E01")
        }
        #expect(try await service.store(.get, "/item/list", key: "another-app-key-of-tests").status == 200)
    }

    @Test func `without app keys everybody is refused`() async throws {
        try await House.open { _, _, service in
            try await service.store(.get, "/item/list").expect("E01")
            try await service.store(.get, "/item/list", key: "").expect("E01")
        }
    }

    private static func token(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        let forged = Token.make(sub: "ann", scope: "user", secret: "another secret of 32 bytes or more")
        let unsigned = Token.make(sub: "ann", scope: "user", algorithm: "none")
        for authorization in [nil, "", "Bearer", "Bearer ", "garbage", "a b c", forged, "Bearer " + unsigned] {
            try await service.validate("", authorization: authorization).expect("E02")
            try await service.store(.get, "/item/list", authorization: authorization).expect("E02")
        }
        let nobody = Token.make(sub: "", scope: "user")
        let endless = Token.make(sub: String(repeating: "x", count: 129), scope: "user")
        for token in [nobody, endless, Token.service()] {
            try await service.validate("", authorization: token).expect("E03")
        }
        try await service.validate("", authorization: Token.make(sub: "ann", scope: "user", lifetime: -1))
            .expect("E05")
    }

    private static func body(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        for body in [
            "", "{", "[]", "null", #"{"imp_uid": "imp_1"}"#, #"{"merchant_uid": "order-1"}"#,
            #"{"imp_uid": "", "merchant_uid": "order-1"}"#, #"{"imp_uid": "imp_1", "merchant_uid": ""}"#,
            #"{"imp_uid": 1, "merchant_uid": "order-1"}"#, #"{"imp_uid": "imp_1", "merchant_uid": null}"#,
            #"{"imp_uid": "imp_1", "merchant_uid": ["order-1"]}"#, #"{"payment_id": "order-1"}"#,
            #"{"imp_uid": "imp/../1", "merchant_uid": "order-1"}"#, "imp_uid=imp_1&merchant_uid=order-1",
        ] {
            try await service.validate(body).expect("E11")
        }
        let form = "application/x-www-form-urlencoded"
        for body in [
            "", "imp_uid=imp_1", "imp_uid=imp_1&merchant_uid=", "imp_uid&merchant_uid", Self.nowhere,
            "imp_uid=imp_1&merchant_uid=order-1&merchant_uid=order-2", "imp_uid=imp_1&merchant_uid=%FF",
            "imp_uid[]=imp_1&merchant_uid[]=order-1", "imp_uid=imp_1&merchant_uid=order%001",
        ] {
            try await service.validate(body, type: form).expect("E11")
        }
        try await service.validate(Self.nowhere, type: "text/plain").expect("E11")
        let large = String(repeating: "x", count: 70_000)
        try await service.validate(#"{"imp_uid": "\#(large)"}"#).expect("E11")
        try await service.validate("imp_uid=\(large)", type: form).expect("E11")
        #expect(try await gateway.journal("/payments").isEmpty, "the gateway hears of none of it")
    }

    private static func payment(_ house: House, _ gateway: Gateway, _ service: Service) async throws {
        try await service.validate(.unmade()).expect("E81")
        try await service.validate(gateway.pay("1000", #", "sandbox": true"#)).expect("E81")
        for members in [
            #", "status": "ready""#, #", "status": "failed""#, #", "status": "cancelled""#,
            #", "status": "cancelled", "cancel_amount": 400"#, #", "currency": "USD""#,
        ] {
            try await service.validate(gateway.pay("1000", members)).expect("E82")
        }
        try await service.validate(gateway.pay("999"), with: .lilac).expect("E82")
        let paid = try await gateway.pay()
        try await service.validate(Payment(impUID: paid.impUID, merchantUID: "another")).expect("E81")
        #expect(try await house.books.postings == 0)
        #expect(try await house.books.receipts("waiting") == 1, "only what may still be paid is kept")
    }

    @Test func `too many waiting receipts are reported as too many`() async throws {
        try await House.with { house in
            let service = try await house.serve(CoinShopApp.settings)
            for _ in 0..<32 { try await service.validate(.unmade()).expect("E99", 500) }
            let refused = try await service.validate(.unmade(), with: .lilac)
            refused.expect("E98", 429)
            #expect(refused.headers["Retry-After"] != nil)
            try await service.validate(.unmade(), by: "bob").expect("E99", 500)
        }
    }

    @Test func `an outage of the ledger is our fault in the apps' words`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            try await FaultProxy.with(house.ledger.database.server) { proxy in
                let url = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL(through: proxy)]
                let service = try await house.serve(at: gateway, CoinShopApp.settings.merging(url) { $1 })
                let payment = try await gateway.pay()
                proxy.refuse()
                proxy.cutAll()
                try await service.validate(payment).expect("E99", 500)
                try await service.store(.get, "/item/list").expect("E99", 500)
                try proxy.accept()
                try await eventually("it is credited") { try await service.validate(payment).status == 200 }
                #expect(try await house.books.purchases == 1)
            }
        }
    }
}

import Foundation
import OutboundHTTP
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayTests {
    @Test func `a purchase is looked up by its token, and its order tells the money`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order())
        let payment = try await test.payment()
        #expect(
            test.lines == [
                "GET /purchases/productsv2/tokens/\(PlayHouse.token)", "GET /orders/\(PlayHouse.orderID)",
            ])
        #expect(payment.gateway == "google-play" && payment.paymentID == PlayHouse.token)
        #expect(payment.merchantUID == PlayHouse.orderName)
        #expect(payment.merchantPaymentID == PlayHouse.orderID)
        #expect(payment.status == .paid && payment.amount == 3600 && payment.currency == "KRW")
        #expect(payment.cancelledAmount == 0 && payment.cancellations == [] && payment.isTest == false)
        #expect(payment.paidAt == ManualTime.noon.addingTimeInterval(0.5))
        #expect(payment.startedAt == Date(timeIntervalSince1970: 1_794_713_580))
        #expect(
            payment.store
                == StorePurchase(
                    app: "com.example.shop",
                    items: [.init(productID: "coins_100", quantity: 3, isConsumed: false)], price: 3_600_000,
                    isConsumable: nil, storefront: "KR", isFamilyShared: false,
                    accountToken: UUID(uuidString: PlayHouse.accountID), isAcknowledged: false,
                    toldAt: ManualTime.noon))
        let receipt = try GooglePlay.receipt(paymentID: payment.paymentID, merchantUID: payment.merchantUID)
        #expect(try receipt == PlayUnderTest.receipt)
    }

    @Test func `a purchase that is not paid is not asked for its order, and is not paid`() async throws {
        let cases: [(String, GatewayPayment.Status)] = [
            ("PENDING", .ready), ("ON_HOLD", .unknown("ON_HOLD")),
        ]
        for (state, status) in cases {
            let test = try PlayUnderTest(
                PlayHouse.purchase([
                    "purchaseStateContext": #"{"purchaseState":"\#(state)"}"#, "purchaseCompletionTime": nil,
                ]))
            let payment = try await test.payment()
            #expect(payment.status == status && payment.paidAt == nil && payment.amount == 0)
            #expect(payment.merchantPaymentID == PlayHouse.orderID && payment.store?.refundedPart == 0)
            #expect(test.lines.count == 1)
        }
    }

    private static let givenUp: [String: String?] = [
        "purchaseStateContext": #"{"purchaseState":"CANCELLED"}"#, "purchaseCompletionTime": nil,
    ]

    @Test func `a purchase that was given up before it was paid is no refund`() async throws {
        let unpaid = PlayHouse.order(["state": #""CANCELED""#, "orderHistory": #"{"cancellationEvent":{}}"#])
        let test = try PlayUnderTest(PlayHouse.purchase(Self.givenUp), unpaid)
        let payment = try await test.payment()
        #expect(payment.status == .failed && payment.cancelledAmount == 0 && payment.paidAt == nil)
        #expect(payment.merchantPaymentID == PlayHouse.orderID && payment.store?.refundedPart == 0)
        let alone = try PlayUnderTest(
            PlayHouse.purchase(Self.givenUp.merging(["orderId": nil]) { _, none in none }))
        #expect(try await alone.payment().status == .failed)
        #expect(alone.lines.count == 1)
    }

    @Test func `whether a purchase without a time of payment was paid is what its order tells`() async throws {
        let orders: [[String: String?]] = [
            [:], ["state": #""REFUNDED""#, "orderHistory": nil],
            ["orderHistory": #"{"refundEvent":{"eventTime":"2026-11-18T00:00:00Z"}}"#],
        ]
        for changes in orders {
            let test = try PlayUnderTest(PlayHouse.purchase(Self.givenUp), PlayHouse.order(changes))
            let payment = try await test.payment()
            #expect(payment.status == .cancelled && payment.amount == 3600 && payment.cancelledAmount == 3600)
        }
    }

    @Test(arguments: [1, 2])
    func `a purchase without an order is free only if Google says why`(type: Int) async throws {
        let test = try PlayUnderTest(
            PlayHouse.purchase(["orderId": nil]), .answer(200, #"{"purchaseState":0,"purchaseType":\#(type)}"#))
        let payment = try await test.payment()
        #expect(test.lines[1] == "GET /purchases/products/coins_100/tokens/\(PlayHouse.token)")
        #expect(payment.status == .paid && payment.amount == 0 && payment.currency == "XXX")
        #expect(payment.store?.price == 0 && payment.merchantPaymentID == nil)
    }

    @Test(arguments: ["{}", #"{"purchaseType":0}"#, #"{"purchaseType":3}"#])
    func `the order of a paid purchase can come later`(product: String) async throws {
        let early = PlayHouse.purchase(["orderId": nil])
        let test = try PlayUnderTest(early, .answer(200, product), PlayHouse.purchase(), PlayHouse.order())
        #expect(try await test.payment().amount == 3600)
        let never = try PlayUnderTest(Array(repeating: [early, .answer(200, product)], count: 3).flatMap(\.self))
        let error = await failure { try await never.payment() }
        #expect(error?.code == .notFoundYet && error?.isDefinite == false && error?.isRetryable == true)
    }

    @Test func `a licence tester's purchase is a test`() async throws {
        let test = try PlayUnderTest(
            PlayHouse.purchase(["testPurchaseContext": #"{"fopType":"TEST"}"#]), PlayHouse.order())
        #expect(try await test.payment().isTest == true)
    }

    @Test func `a test without an order costs nothing`() async throws {
        let test = try PlayUnderTest(
            PlayHouse.purchase(["testPurchaseContext": #"{"fopType":"TEST"}"#, "orderId": nil]))
        let payment = try await test.payment()
        #expect(payment.status == .paid && payment.isTest == true && payment.amount == 0)
        #expect(test.lines.count == 1)
    }

    @Test func `a state that is not known is not paid, also with a time of payment`() async throws {
        for (state, status) in [("ON_HOLD", GatewayPayment.Status.unknown("ON_HOLD")), ("PENDING", .ready)] {
            let test = try PlayUnderTest(
                PlayHouse.purchase(["purchaseStateContext": #"{"purchaseState":"\#(state)"}"#]), PlayHouse.order())
            #expect(try await test.payment().status == status)
        }
    }

    @Test func `several products of one purchase are all told`() async throws {
        let items = PlayHouse.item("coins_100") + #",{"productId":"gems"}"#
        let test = try PlayUnderTest(PlayHouse.purchase(["productLineItem": "[\(items)]"]), PlayHouse.order())
        #expect(
            try await test.payment().store?.items == [
                .init(productID: "coins_100", quantity: 3, isConsumed: false),
                .init(productID: "gems", quantity: 1, isConsumed: false),
            ])
    }

    @Test func `a lent product is not used up`() async throws {
        let test = try PlayUnderTest(
            PlayHouse.purchase(details: ["rentOfferDetails": "{}"]), PlayHouse.order())
        #expect(try await test.payment().store?.isConsumable == false)
    }

    @Test(arguments: ["not-a-uuid", ""])
    func `an account that is none of ours is nobody's`(account: String) async throws {
        let test = try PlayUnderTest(
            PlayHouse.purchase(["obfuscatedExternalAccountId": "\"\(account)\""]), PlayHouse.order())
        #expect(try await test.payment().store?.accountToken == nil)
    }

    @Test func `an answer that is not about this purchase decides nothing`() async throws {
        let cases: [[String: String?]] = [
            ["purchaseToken": #""another.token""#], ["orderId": #""GPA.0000-0000-0000-00000""#],
        ]
        for changes in cases {
            let test = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(changes))
            let error = await failure { try await test.payment() }
            #expect(error?.code == .malformedAnswer && error?.isDefinite == false)
        }
    }

    @Test(
        arguments: [
            ("purchaseStateContext", nil), ("purchaseStateContext", "{}"), ("productLineItem", "[]"),
            ("productLineItem", #"[{"productOfferDetails":{}}]"#), ("productLineItem", "7"), ("orderId", #""a/b""#),
            ("purchaseCompletionTime", #""yesterday""#), ("regionCode", "7"),
            ("productLineItem", #"[{"productId":"c","productOfferDetails":{"quantity":0}}]"#),
            ("productLineItem", #"[{"productId":"c","productOfferDetails":{"quantity":1001}}]"#),
            ("productLineItem", #"[{"productId":"c","productOfferDetails":{"quantity":1,"refundableQuantity":2}}]"#),
            ("productLineItem", #"[{"productId":"c","productOfferDetails":{"quantity":1,"refundableQuantity":-1}}]"#),
        ] as [(String, String?)])
    func `a purchase whose members can't be used is unreadable`(name: String, value: String?) async throws {
        let test = try PlayUnderTest(PlayHouse.purchase([name: value]), PlayHouse.order())
        #expect(await failure { try await test.payment() }?.code == .unreadablePayment)
    }

    @Test(
        arguments: [
            ("total", nil), ("total", "{}"), ("total", #"{"currencyCode":"KRW","units":"-1"}"#),
            ("total", #"{"currencyCode":"KRW","units":"1","nanos":500000000}"#),
            ("total", #"{"currencyCode":"KRW","units":"1","nanos":-1}"#),
            ("total", #"{"currencyCode":"KR","units":"1"}"#),
            ("total", #"{"currencyCode":"KRW","units":"9223372036854775808"}"#),
            ("total", #"{"currencyCode":"KRW","units":"9223372036854775807"}"#), ("state", nil), ("purchaseToken", nil),
            ("createTime", "7"), ("lineItems", #"[{}]"#), ("orderHistory", "[]"),
            ("orderHistory", #"{"partialRefundEvents":[{"createTime":"2026-11-16T00:00:00Z","state":"PENDING"}]}"#),
            (
                "orderHistory",
                #"{"partialRefundEvents":[{"createTime":"2026-11-16T00:00:00Z","state":"PENDING","#
                    + #""refundDetails":{"total":{"currencyCode":"USD","units":"1"}}}]}"#
            ),
        ] as [(String, String?)])
    func `an order whose members can't be used is unreadable`(name: String, value: String?) async throws {
        let test = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order([name: value]))
        #expect(await failure { try await test.payment() }?.code == .unreadablePayment)
    }

    @Test(arguments: [
        (#"{"currencyCode":"USD","units":"1","nanos":990000000}"#, 199, 1990), (#"{"currencyCode":"USD"}"#, 0, 0),
        (#"{"currencyCode":"usd","nanos":10000000}"#, 1, 10), (#"{"currencyCode":"JPY","units":120}"#, 120, 120_000),
    ])
    func `money of Google's is exact`(total: String, amount: Int64, price: Int64) async throws {
        let test = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(["total": total]))
        let payment = try await test.payment()
        #expect(payment.amount == amount && payment.store?.price == price)
    }

    @Test func `money in an unknown currency is no amount, and stops no purchase`() async throws {
        let total = #"{"currencyCode":"ZZZ","units":"9","nanos":900000000}"#
        let test = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(["total": total, "lineItems": "[]"]))
        let payment = try await test.payment()
        #expect(payment.status == .paid && payment.amount == 0 && payment.currency == "ZZZ")
        #expect(payment.store?.price == 9900)
    }

    @Test func `a receipt of another gateway is refused before anything is sent`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        #expect(await failure { try await test.play.payment(for: V2.receipt) }?.code == .invalidRequest)
        #expect(test.lines.isEmpty && test.tokens.requests.isEmpty)
    }

    @Test(arguments: ["", "a/b", "..", "a:consume", "a b", "토큰", "a%2Fb", String(repeating: "a", count: 2001)])
    func `what can change a request is no token`(text: String) {
        #expect(throws: MalformedIdentifier.self) { try PurchaseToken(text) }
    }

    /// `receipt_retry_once_a_user` has both, the gateway and a user's id of up to 512 bytes in an entry of at most 2,704.
    @Test func `the longest token and its order's name leave room for a user's id in an index`() throws {
        let longest = Receipt.googlePlay(try PurchaseToken(String(repeating: "a", count: 2000)))
        let other = Receipt.googlePlay(try PurchaseToken(String(repeating: "a", count: 1999) + "b"))
        #expect(longest.merchantUID != other.merchantUID)
        for receipt in [longest, other] {
            let texts = receipt.gatewayName + (receipt.paymentID ?? "") + receipt.merchantUID
            // Eight bytes before the entry, and up to eight for the length and the place of each text.
            let entry: Int = texts.utf8.count + 512 + 8 + 4 * 8
            #expect(entry <= 2704)
        }
    }

    @Test func `a probe needs a token, the permissions and the app`() async throws {
        let none = ScriptedGateway.Step.answer(200, "{}")
        let cases: [(ScriptedGateway.Step, ScriptedGateway.Step, GatewayError.Code?)] = [
            (PlayHouse.accessToken(), none, nil),
            (.answer(400, #"{"error":"invalid_grant","error_description":"x"}"#), none, .unauthorized),
            (PlayHouse.accessToken(), PlayHouse.refusal(401, "permissionDenied"), .unauthorized),
            (PlayHouse.accessToken(), PlayHouse.refusal(404, "applicationNotFound"), .refused),
            (.fail(.unreachable), none, .unreachable),
        ]
        for (token, list, code) in cases {
            let (tokens, api) = (ScriptedGateway(token), ScriptedGateway(list))
            let configuration = try PlayHouse.configuration()
            let probe = await configuration.probe(over: ProbedHosts(tokens: tokens, api: api))
            #expect(probe.failure?.code == code)
            if code == nil { #expect(api.requests[0].header("Authorization") == "Bearer ya29.one") }
        }
    }

    private struct ProbedHosts: HTTPTransport {
        let tokens: ScriptedGateway
        let api: ScriptedGateway

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            try await (request.method == .post ? tokens : api).send(request)
        }
    }
}

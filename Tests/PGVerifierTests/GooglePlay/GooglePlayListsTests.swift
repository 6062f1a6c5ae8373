import Foundation
import OutboundHTTP
import Synchronization
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayListsTests {
    private static let now = ManualTime.noon
    private static let lastDay = now.addingTimeInterval(-86_400)..<now

    private static func void(_ changes: [String: String?] = [:]) -> String {
        AppStoreHouse.payload(
            changes,
            of: [
                "kind": #""androidpublisher#voidedPurchase""#, "purchaseToken": "\"\(PlayHouse.token)\"",
                "orderId": "\"\(PlayHouse.orderID)\"", "purchaseTimeMillis": #""1794713000000""#,
                "voidedTimeMillis": #""1794713640500""#, "voidedSource": "1", "voidedReason": "7",
            ])
    }

    private static func page(_ voids: String..., next: String? = nil) -> ScriptedGateway.Step {
        let pages = next.map { #","tokenPagination":{"nextPageToken":"\#($0)"}"# } ?? ""
        return .answer(200, #"{"voidedPurchases":[\#(voids.joined(separator: ","))]\#(pages)}"#)
    }

    private func walked(_ test: PlayUnderTest, in period: Range<Date> = lastDay) async throws -> [GooglePlayVoid] {
        var voids: [GooglePlayVoid] = []
        for try await void in test.play.voidedPurchases(in: period) { voids.append(void) }
        return voids
    }

    @Test func `voided purchases are walked page by page, those in part included`() async throws {
        let test = try PlayUnderTest(
            Self.page(Self.void(), Self.void(["voidedQuantity": "2"]), next: "p/2"),
            Self.page(
                Self.void(["voidedQuantity": "2"]), Self.void(["purchaseToken": #""other""#, "voidedReason": "8"])))
        let voids = try await walked(test)
        let query = "type=0&includeQuantityBasedPartialRefund=true&maxResults=1000&startTime=1794627240000"
        #expect(
            test.lines == [
                "GET /purchases/voidedpurchases?\(query)", "GET /purchases/voidedpurchases?\(query)&token=p%2F2",
            ])
        #expect(voids.map(\.quantity) == [nil, 2, nil])
        #expect(
            voids[0]
                == GooglePlayVoid(
                    token: try PlayUnderTest.token, orderID: try GooglePlayOrderID(PlayHouse.orderID),
                    purchasedAt: Date(timeIntervalSince1970: 1_794_713_000),
                    voidedAt: Self.now.addingTimeInterval(0.5), source: .developer, reason: .chargeback, quantity: nil))
        #expect(voids[2].reason == .unacknowledged && voids[2].receipt.paymentID == "other")
    }

    @Test func `a comparison with the books has what was taken back, of the days that are listed`() async throws {
        let test = try PlayUnderTest(Self.page(Self.void(["voidedQuantity": "2"])))
        let page = try await test.play.page(of: "voided", in: Self.lastDay, at: nil)
        guard case .named(let receipt)? = page.elements.first else {
            Issue.record("\(page.elements)")
            return
        }
        #expect(receipt.paymentID == PlayHouse.token && page.elements.count == 1 && page.next == nil)
        let longAgo = Self.now.addingTimeInterval(-31 * 86_400)
        let old = try await test.play.page(of: "voided", in: longAgo..<longAgo.addingTimeInterval(86_400), at: nil)
        #expect(old.elements.isEmpty && test.lines.count == 1)
        // A walk that began before is not over.
        let rest = try await test.play.page(of: "voided", in: longAgo..<longAgo.addingTimeInterval(86_400), at: "p/2")
        #expect(rest.elements.count == 1 && test.lines.last?.hasSuffix("&token=p%2F2") == true)
    }

    @Test func `a period that ended is asked for with its end`() async throws {
        let test = try PlayUnderTest(.answer(200, "{}"))
        let period = Self.now.addingTimeInterval(-86_400)..<Self.now.addingTimeInterval(-3600)
        #expect(try await walked(test, in: period) == [])
        #expect(test.lines[0].hasSuffix("startTime=1794627240000&endTime=1794710040000"))
    }

    @Test func `no more is asked for than Google keeps`() async throws {
        let test = try PlayUnderTest(.answer(200, "{}"))
        _ = try await walked(test, in: Date(timeIntervalSince1970: 0)..<Self.now.addingTimeInterval(86_400))
        // Thirty days but a minute.
        #expect(test.lines[0].hasSuffix("startTime=1792121700000"))
    }

    @Test func `a number that is not known is kept`() async throws {
        let test = try PlayUnderTest(Self.page(Self.void(["voidedSource": "99", "voidedReason": "42"])))
        let voids = try await walked(test)
        #expect(voids.map(\.source.rawValue) == [99] && voids.map(\.reason.rawValue) == [42])
    }

    @Test func `Google leaves out what is zero`() async throws {
        let test = try PlayUnderTest(
            Self.page(Self.void(["voidedSource": nil, "voidedReason": nil, "orderId": nil, "purchaseTimeMillis": nil])))
        let void = try #require(try await walked(test).first)
        #expect(void.source == .user && void.reason == .other && void.orderID == nil && void.purchasedAt == nil)
    }

    @Test func `one that can't be read ends the walk after all others`() async throws {
        for changes: [String: String?] in [
            ["purchaseToken": nil], ["voidedTimeMillis": nil], ["voidedTimeMillis": #""-1""#], ["voidedQuantity": "0"],
            ["voidedReason": "-1"],
        ] {
            let test = try PlayUnderTest(Self.page(Self.void(changes), Self.void()))
            var count = 0
            let error = await failure {
                for try await _ in test.play.voidedPurchases(in: Self.lastDay) { count += 1 }
            }
            #expect(count == 1 && error?.code == .unreadablePayment)
        }
    }

    @Test func `what is no page is an error`() async throws {
        for step: ScriptedGateway.Step in [
            .answer(200, #"{"voidedPurchases":{}}"#), PlayHouse.refusal(403, "forbidden"),
        ] {
            let test = try PlayUnderTest(step)
            #expect(await failure { try await walked(test) } != nil)
        }
    }

    @Test func `what was taken back has a short name for each act, the same in every walk`() async throws {
        func taken() async throws -> [TakenBack] {
            let test = try PlayUnderTest(
                Self.page(
                    Self.void(), Self.void(["voidedQuantity": "2"]), Self.void(["purchaseToken": nil]), next: "p/2"),
                Self.page(Self.void(["purchaseToken": #""other""#])))
            return try await test.play.takenBack(in: Self.lastDay)
        }
        let first = try await taken()
        #expect(first.map(\.receipt.paymentID) == [PlayHouse.token, PlayHouse.token, "other"])
        #expect(Set(first.map(\.id)).count == 3 && first.allSatisfy { $0.id.utf8.count == 64 })
        #expect(try await taken() == first)
    }

    // MARK: - Orders

    private static func id(_ number: Int) throws -> GooglePlayOrderID { try GooglePlayOrderID("GPA.\(number)") }

    private static func order(_ id: String, _ changes: [String: String?] = [:]) -> String {
        PlayHouse.orderText(
            changes.merging(["orderId": "\"\(id)\"", "purchaseToken": "\"token-\(id)\""]) { first, _ in first })
    }

    @Test func `what was refunded is told by the ids of orders that Google knows`() async throws {
        let (one, two) = (Self.order("GPA.1"), Self.order("GPA.2", ["state": #""REFUNDED""#]))
        let test = try PlayUnderTest(.answer(200, #"{"orders":[\#(two),\#(one)]}"#))
        let orders = try await test.play.payments(ofOrders: ["GPA.1", "GPA.2", "no/order"])
        let amounts = orders.mapValues(\.cancelledAmount)
        #expect(Set(amounts.keys) == ["GPA.1", "GPA.2"])
        #expect(amounts["GPA.1"] == 0 && (amounts["GPA.2"] ?? 0) > 0, "\(amounts)")
    }

    @Test func `orders are looked up together, and each is a payment`() async throws {
        let (one, two) = (Self.order("GPA.1"), Self.order("GPA.2", ["state": #""REFUNDED""#]))
        let test = try PlayUnderTest(.answer(200, #"{"orders":[\#(two),\#(one)]}"#))
        let found = try await test.play.orders([Self.id(1), Self.id(2), Self.id(1)])
        #expect(test.lines == ["GET /orders:batchGet?orderIds=GPA.1&orderIds=GPA.2"])
        #expect(found.missing.isEmpty && found.unreadable.isEmpty)
        let payments = try found.orders.map { order in try order.payment() }
        #expect(payments.map(\.paymentID) == ["token-GPA.2", "token-GPA.1"])
        #expect(payments.map(\.status) == [.cancelled, .paid] && payments.map(\.cancelledAmount) == [3600, 0])
        #expect(payments[1].isTest == nil && payments[1].paidAt == ManualTime.noon)
        #expect(
            payments[1].store
                == StorePurchase(
                    app: PlayHouse.packageName, items: [.init(productID: "coins_100", quantity: 3)], price: 3_600_000,
                    isConsumable: nil, storefront: "KR", isFamilyShared: false, accountToken: nil, toldAt: Self.now))
        #expect(found.orders[1].revenue?.minorUnits == 2782 && found.orders[1].tax?.minorUnits == 327)
    }

    @Test func `an order that is not paid is no payment yet`() async throws {
        let pending = Self.order("GPA.1", ["state": #""PENDING""#, "orderHistory": nil])
        let test = try PlayUnderTest(.answer(200, #"{"orders":[\#(pending)]}"#))
        let payment = try await test.play.orders([Self.id(1)]).orders[0].payment()
        #expect(payment.status == .ready && payment.paidAt == nil)
        let new = Self.order("GPA.1", ["state": #""SOME_NEW_STATE""#])
        let other = try PlayUnderTest(.answer(200, #"{"orders":[\#(new)]}"#))
        #expect(try await other.play.orders([Self.id(1)]).orders[0].payment().status == .unknown("SOME_NEW_STATE"))
    }

    @Test func `unknown orders are found, and the others are told`() async throws {
        let store = OrderStore(unknown: ["GPA.2", "GPA.7"])
        let play = GooglePlay(
            configuration: try PlayHouse.configuration(), transport: store, logger: .quiet,
            timing: InstantTiming().timing)
        let found = try await play.orders(try (0..<8).map(Self.id))
        #expect(found.missing.map(\.text) == ["GPA.2", "GPA.7"])
        #expect(found.orders.map(\.id.text) == ["GPA.0", "GPA.1", "GPA.3", "GPA.4", "GPA.5", "GPA.6"])
    }

    @Test func `many orders are asked for by the hundred`() async throws {
        let store = OrderStore(unknown: [])
        let play = GooglePlay(
            configuration: try PlayHouse.configuration(), transport: store, logger: .quiet,
            timing: InstantTiming().timing)
        #expect(try await play.orders(try (0..<250).map(Self.id)).orders.count == 250)
        #expect(store.sizes == [100, 100, 50])
        #expect(try await play.orders([]).orders.isEmpty)
        #expect(store.sizes.count == 3)
    }

    @Test(arguments: [
        PlayHouse.refusal(401, "permissionDenied"), PlayHouse.refusal(403, "forbidden"), .answer(404, "<html>"),
        PlayHouse.refusal(404, "applicationNotFound"), PlayHouse.refusal(503, "backendError"), .fail(.timeout),
        PlayHouse.refusal(429, "rateLimitExceeded"), .answer(200, "{}"), .answer(200, #"{"orders":7}"#),
        .answer(200, #"{"orders":[{"orderId":"GPA.1"}]}"#),
        .answer(200, #"{"orders":[{"orderId":"GPA.1"},{"orderId":"GPA.3"}]}"#),
        .answer(200, #"{"orders":[{"orderId":"GPA.1"},{"orderId":"GPA.2"},{"orderId":"GPA.2"}]}"#),
    ])
    func `what is no answer about these orders makes none of them missing`(step: ScriptedGateway.Step) async throws {
        let test = try PlayUnderTest(step)
        #expect(await failure { try await test.play.orders([Self.id(1), Self.id(2)]) }?.isDefinite == false)
        #expect(test.lines.allSatisfy { $0.hasSuffix("?orderIds=GPA.1&orderIds=GPA.2") })
    }

    @Test func `an order that can't be read does not affect the others`() async throws {
        let test = try PlayUnderTest(
            .answer(200, #"{"orders":[\#(Self.order("GPA.1", ["total": nil])),\#(Self.order("GPA.2"))]}"#))
        let found = try await test.play.orders([Self.id(1), Self.id(2)])
        #expect(found.orders.map(\.id.text) == ["GPA.2"])
        #expect(found.unreadable.map(\.merchantPaymentID) == ["GPA.1"])
    }

    /// Refuses all orders of a request for one that is not known, as Google does.
    private final class OrderStore: HTTPTransport {
        private let unknown: Set<String>
        private let asked = Mutex<[Int]>([])

        init(unknown: Set<String>) {
            self.unknown = unknown
        }

        /// How many orders each request was about.
        var sizes: [Int] { asked.withLock(\.self) }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            guard request.method == .get else {
                return HTTPResponse(status: 200, body: Array(#"{"access_token":"t","expires_in":3599}"#.utf8))
            }
            let ids = request.line.split(separator: "=").dropFirst().map { $0.prefix { $0 != "&" } }.map(String.init)
            asked.withLock { $0.append(ids.count) }
            guard unknown.isDisjoint(with: ids) else {
                let body = #"{"error":{"code":404,"message":"x","errors":[{"reason":"orderNotFound"}]}}"#
                return HTTPResponse(status: 404, body: Array(body.utf8))
            }
            let orders = ids.map { order($0) }.joined(separator: ",")
            return HTTPResponse(status: 200, body: Array(#"{"orders":[\#(orders)]}"#.utf8))
        }
    }
}

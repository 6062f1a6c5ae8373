import Foundation
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayRefundsTests {
    private static let first = partial("2026-11-16T00:00:00Z", 1200)
    private static let second = partial("2026-11-17T00:00:00Z", 600)
    private static let whole =
        #","refundEvent":{"eventTime":"2026-11-18T00:00:00Z","refundReason":"CHARGEBACK"}"#

    /// A refund of a part.
    private static func partial(_ time: String, _ amount: Int, state: String = "PROCESSED_SUCCESSFULLY") -> String {
        #"{"createTime":"\#(time)","processTime":"\#(time)","state":"\#(state)","#
            + #""refundDetails":{"total":\#(PlayHouse.won(amount)),"tax":\#(PlayHouse.won(0))}}"#
    }

    private static func partials(_ events: String...) -> String {
        #","partialRefundEvents":[\#(events.joined(separator: ","))]"#
    }

    private func payment(
        _ order: ScriptedGateway.Step, _ purchase: ScriptedGateway.Step = PlayHouse.purchase()
    ) async throws -> GatewayPayment {
        try await PlayUnderTest(purchase, order).payment()
    }

    @Test func `refunds of parts are told one by one, and their sum`() async throws {
        let payment = try await payment(
            PlayHouse.order(["state": #""PARTIALLY_REFUNDED""#], history: Self.partials(Self.first, Self.second)))
        #expect(payment.status == .partiallyCancelled && payment.amount == 3600 && payment.cancelledAmount == 1800)
        #expect(payment.cancellations.map(\.amount) == [1200, 600])
        #expect(payment.cancellations.map(\.id) == ["refund-1794787200000000", "refund-1794873600000000"])
        #expect(payment.cancelledAt == Date(timeIntervalSince1970: 1_794_873_600))
        #expect(payment.store?.refundedPart == 50_000)
    }

    @Test func `two refunds of one moment are two`() async throws {
        let payment = try await payment(
            PlayHouse.order(["state": #""PARTIALLY_REFUNDED""#], history: Self.partials(Self.first, Self.first)))
        #expect(payment.cancelledAmount == 2400 && Set(payment.cancellations.map(\.id)).count == 2)
    }

    @Test func `a refund of all that was left makes it whole`() async throws {
        let payment = try await payment(
            PlayHouse.order(["state": #""REFUNDED""#], history: Self.partials(Self.first) + Self.whole))
        #expect(payment.status == .cancelled && payment.cancelledAmount == 3600)
        #expect(payment.cancellations.map(\.amount) == [1200, 2400])
        #expect(payment.cancellations.last?.reason == "CHARGEBACK" && payment.cancellations.last?.id == "refund")
        #expect(payment.store?.refundedPart == 100_000)
    }

    @Test(arguments: ["REFUNDED", "CANCELED"])
    func `the state alone says that all was given back`(state: String) async throws {
        let payment = try await payment(PlayHouse.order(["state": "\"\(state)\""]))
        #expect(payment.status == .cancelled && payment.cancelledAmount == 3600)
    }

    @Test func `a refund that left the purchase as it was is seen in the order`() async throws {
        let payment = try await payment(PlayHouse.order(["state": #""REFUNDED""#], history: Self.whole))
        #expect(payment.status == .cancelled && payment.store?.isAcknowledged == false)
    }

    @Test func `a purchase that was taken back is cancelled before its order says so`() async throws {
        let taken = PlayHouse.purchase(["purchaseStateContext": #"{"purchaseState":"CANCELLED"}"#])
        let cases = ["PROCESSED", "PENDING_REFUND", "PARTIALLY_REFUNDED", "REFUNDED"]
        for state in cases {
            let payment = try await payment(PlayHouse.order(["state": "\"\(state)\""]), taken)
            #expect(payment.status == .cancelled && payment.cancelledAmount == 3600)
            #expect(payment.paidAt != nil && !payment.isBeingCancelled)
        }
    }

    @Test(arguments: [(2, 1200, 33_333), (1, 2400, 66_667), (0, 3600, 100_000)])
    func `pieces that were taken back count with their price`(left: Int, amount: Int64, part: Int64) async throws {
        let payment = try await payment(
            PlayHouse.order(), PlayHouse.purchase(details: ["refundableQuantity": "\(left)"]))
        #expect(payment.cancelledAmount == amount && payment.store?.refundedPart == part)
        #expect(payment.status == (left == 0 ? .cancelled : .partiallyCancelled))
    }

    @Test(arguments: [(3, 1), (6, 2), (1200, 400)])
    func `a cheap piece that was taken back is no rounding`(price: Int, amount: Int64) async throws {
        let payment = try await payment(
            PlayHouse.order(["total": PlayHouse.won(price)]), PlayHouse.purchase(details: ["refundableQuantity": "2"]))
        #expect(payment.cancelledAmount == amount && payment.status == .partiallyCancelled)
    }

    @Test func `pieces and amounts of the same refund are not added`() async throws {
        let purchase = PlayHouse.purchase(details: ["refundableQuantity": "2"])
        let same = PlayHouse.order(["state": #""PARTIALLY_REFUNDED""#], history: Self.partials(Self.first))
        #expect(try await payment(same, purchase).cancelledAmount == 1200)
        // The order's amount is exact: a quotient of it differs by its rounding only.
        let rounded = PlayHouse.order(
            ["state": #""PARTIALLY_REFUNDED""#], history: Self.partials(Self.partial("2026-11-16T00:00:00Z", 1199)))
        #expect(try await payment(rounded, purchase).cancelledAmount == 1199)
        let less = PlayHouse.order(
            ["state": #""PARTIALLY_REFUNDED""#], history: Self.partials(Self.partial("2026-11-16T00:00:00Z", 100)))
        #expect(try await payment(less, purchase).cancelledAmount == 1200)
    }

    @Test func `pieces of several products have each product's price`() async throws {
        let items = PlayHouse.item("coins_100", ["refundableQuantity": "2"]) + #",{"productId":"gems"}"#
        let lines = [("coins_100", 3000), ("gems", 600)].map {
            #"{"productId":"\#($0)","total":\#(PlayHouse.won($1))}"#
        }
        let purchase = PlayHouse.purchase(["productLineItem": "[\(items)]"])
        let order = PlayHouse.order(["lineItems": "[\(lines.joined(separator: ","))]"])
        #expect(try await payment(order, purchase).cancelledAmount == 1000)
        let unknown = await failure {
            try await payment(PlayHouse.order(["lineItems": "[\(lines[1])]"]), purchase)
        }
        #expect(unknown?.code == .unreadablePayment)
    }

    @Test func `lines of a product have each its own price, or the product's if it is not clear whose they are`()
        async throws
    {
        let items = [(1, 1), (3, 2)].map { quantity, left in
            PlayHouse.item("coins_100", ["quantity": "\(quantity)", "refundableQuantity": "\(left)"])
        }
        let purchase = PlayHouse.purchase([
            "productLineItem": "[\(items.joined(separator: ",")),{\"productId\":\"gems\"}]"
        ])
        func line(_ product: String, _ quantity: Int, _ price: Int) -> String {
            #"{"productId":"\#(product)","total":\#(PlayHouse.won(price)),"#
                + #""oneTimePurchaseDetails":{"quantity":\#(quantity)}}"#
        }
        let (one, three, gem) = (line("coins_100", 1, 1200), line("coins_100", 3, 2100), line("gems", 1, 300))
        for (lines, amount) in [
            ([one, three, gem], 700), ([three, gem, one], 825), ([line("coins_100", 1, 3300), gem], 825),
        ] {
            let order = PlayHouse.order(["lineItems": "[\(lines.joined(separator: ","))]"])
            #expect(try await payment(order, purchase).cancelledAmount == amount)
        }
        let unpriced = PlayHouse.order(["lineItems": #"[\#(one),{"productId":"coins_100"},\#(gem)]"#])
        #expect(await failure { try await payment(unpriced, purchase) }?.code == .unreadablePayment)
    }

    @Test func `an absent number of pieces that are left says nothing`() async throws {
        let payment = try await payment(PlayHouse.order(), PlayHouse.purchase(details: ["refundableQuantity": nil]))
        #expect(payment.status == .paid && payment.cancelledAmount == 0)
    }

    @Test func `a refund that waits is pending`() async throws {
        let payment = try await payment(PlayHouse.order(["state": #""PENDING_REFUND""#]))
        #expect(payment.isRestBeingCancelled && payment.cancelledAmount == 0 && payment.status == .paid)
        for state in ["PENDING", "SOME_NEW_STATE"] {
            let part = Self.partials(Self.partial("2026-11-16T00:00:00Z", 1200, state: state))
            let payment = try await self.payment(PlayHouse.order(history: part))
            #expect(payment.isBeingCancelled && payment.cancelledAmount == 0 && payment.cancelledAt == nil)
        }
    }

    @Test func `no more is given back than was paid`() async throws {
        let payment = try await payment(
            PlayHouse.order(history: Self.partials(Self.partial("2026-11-16T00:00:00Z", 4000))))
        #expect(payment.cancelledAmount == 3600 && payment.balance == 0 && payment.status == .cancelled)
    }

    @Test func `what cost nothing can be taken back`() async throws {
        let free = ["total": #"{"currencyCode":"KRW"}"#]
        let taken = PlayHouse.purchase(["purchaseStateContext": #"{"purchaseState":"CANCELLED"}"#])
        let payment = try await payment(PlayHouse.order(free.mapValues { $0 }), taken)
        #expect(payment.status == .cancelled && payment.store?.refundedPart == 100_000 && payment.amount == 0)
        let standing = try await self.payment(PlayHouse.order(free.mapValues { $0 }))
        #expect(standing.status == .paid && standing.store?.refundedPart == 0)
    }

    @Test(
        arguments: [
            (3, .paid, 0), (2, .partiallyCancelled, 33_333), (1, .partiallyCancelled, 66_667), (0, .cancelled, 100_000),
        ]
            as [(Int, GatewayPayment.Status, Int64)])
    func `of what cost nothing, the pieces that can be taken back tell the part, with and without an order`(
        left: Int, status: GatewayPayment.Status, part: Int64
    ) async throws {
        let details = ["refundableQuantity": String(left)]
        let state = left == 3 || left == 0 ? "PROCESSED" : "PARTIALLY_REFUNDED"
        let ordered = try await payment(
            PlayHouse.order(["total": #"{"currencyCode":"KRW"}"#, "state": "\"\(state)\""]),
            PlayHouse.purchase(details: details))
        let orderless = try await PlayUnderTest(
            PlayHouse.purchase(["orderId": nil], details: details),
            .answer(200, #"{"purchaseState":0,"purchaseType":1}"#)
        ).payment()
        for payment in [ordered, orderless] {
            #expect(payment.isFree && payment.status == status && payment.partTakenBack == part, "\(payment)")
        }
    }

    @Test func `a refund of an unknown amount is unreadable`() async throws {
        let order = PlayHouse.order(["state": #""PARTIALLY_REFUNDED""#])
        #expect(await failure { try await payment(order) }?.code == .unreadablePayment)
        let waiting = PlayHouse.order(
            ["state": #""PARTIALLY_REFUNDED""#],
            history: Self.partials(Self.partial("2026-11-16T00:00:00Z", 1200, state: "PENDING")))
        #expect(await failure { try await payment(waiting) }?.code == .unreadablePayment)
    }

    @Test func `refunds in an unknown currency are parts without amounts`() async throws {
        func unknown(_ state: String, _ history: String = "", left: Int = 3) async throws -> GatewayPayment {
            let order = PlayHouse.orderText(["state": "\"\(state)\""], history: history).replacing("KRW", with: "ZZZ")
            let purchase = PlayHouse.purchase(details: ["refundableQuantity": "\(left)"])
            let payment = try await payment(.answer(200, order), purchase)
            #expect(payment.amount == 0 && payment.cancelledAmount == 0 && payment.isAmountUnknown)
            #expect(payment.cancellations.allSatisfy { $0.amount == 0 })
            return payment
        }
        let part = try await unknown("PARTIALLY_REFUNDED", Self.partials(Self.first, Self.second))
        #expect(part.status == .partiallyCancelled && part.store?.refundedPart == 50_000)
        let piece = try await unknown("PROCESSED", left: 2)
        #expect(piece.status == .partiallyCancelled && piece.store?.refundedPart == 33_333)
        let whole = try await unknown("REFUNDED")
        #expect(whole.status == .cancelled && whole.store?.refundedPart == 100_000)
        #expect(try await unknown("PENDING_REFUND").isBeingCancelled)
    }

    @Test func `a state of the order that is not known leaves the purchase paid`() async throws {
        #expect(try await payment(PlayHouse.order(["state": #""SOME_NEW_STATE""#])).status == .paid)
    }
}

import Foundation
import Ledger
import PGVerifier
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct RefundSweepTests {
    private static let day: TimeInterval = 86_400
    private static let noon = ManualTime.noon

    /// Runs a sweep and `body`, which moves the time on to the next one.
    private func sweep(
        _ shop: Shop, every interval: Duration,
        _ body: (_ next: (_ after: Duration) async throws -> Void) async throws -> Void
    ) async throws {
        try await ManualTime.with { time in
            let sweep = RefundSweep(gateways: [shop], interval: interval, logger: LogCapture().logger()) {
                try shop.sales(by: $0, in: $1, after: $2)
            } review: { payment, name, _ in
                shop.seen.withLock { $0.reviews.append("\(payment.paymentID) \(name)") }
            }
            let running = Task { try await sweep.run() }
            try await time.untilAsleep()
            try await body { pause in
                await time.advance(by: pause)
                try await time.untilAsleep()
            }
            running.cancel()
            try await running.value
        }
    }

    @Test func `a sweep begins where the last one ended, and the first one days ago, also at orders of each age`()
        async throws
    {
        let shop = Shop()
        try await sweep(shop, every: .seconds(1)) { next in
            try await next(.seconds(300) - .nanoseconds(1))
            #expect(shop.lists.count == 1, "Google counts what it is asked in a day")
            try await next(.nanoseconds(1))
        }
        #expect(
            shop.lists == [
                Self.noon - 30 * Self.day - 600..<Self.noon, Self.noon - 600..<Self.noon + 300,
            ])
        let ages = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1092].map { Self.day * $0 }
        #expect(
            shop.orders
                == ages.map { Self.noon - $0 - 2 * Self.day - 600..<Self.noon - $0 }
                + ages.map { Self.noon - $0 - 600..<Self.noon - $0 + 300 })
    }

    @Test func `what failed is looked at again, but not more and more, and holds nothing else up`() async throws {
        let shop = Shop()
        shop.seen.withLock { $0.isListDown = true }
        try await sweep(shop, every: .seconds(86_400)) { next in
            #expect(shop.orders.count == 12)
            shop.seen.withLock { ($0.isListDown, $0.salesDownBefore) = (false, .distantFuture) }
            for _ in 1...3 { try await next(.seconds(86_400)) }
            shop.seen.withLock { $0.salesDownBefore = .distantPast }
            try await next(.seconds(86_400))
        }
        let now = Self.noon + 4 * Self.day
        #expect(shop.lists[1] == Self.noon - 29 * Self.day - 600..<Self.noon + Self.day)
        #expect(shop.lists[4] == now - Self.day - 600..<now)
        #expect(shop.orders[12] == Self.noon - Self.day - 600..<Self.noon)
        #expect(shop.orders[48] == now - 3 * Self.day - 600..<now - Self.day, "two days, and not four")
    }

    @Test func `orders of one age that fail hold up none of another`() async throws {
        let shop = Shop()
        try await sweep(shop, every: .seconds(600)) { next in
            shop.seen.withLock { $0.salesDownBefore = Self.noon - 100 * Self.day }
            try await next(.seconds(600))
            try await next(.seconds(600))
        }
        let (young, old) = (shop.orders[24], shop.orders[31])
        #expect(young == Self.noon - Self.day..<Self.noon - Self.day + 1200)
        #expect(old == Self.noon - 128 * Self.day - 600..<Self.noon - 128 * Self.day + 1200)
    }

    @Test func `sales are looked at page by page, and those are reviewed of which more was given back`() async throws {
        let paidAt = Self.noon - 1.5 * Self.day
        let sold = (1...5).map { number in
            StoreSaleOfPeriod(
                id: Int64(number), paidAt: paidAt + (number > 3 ? 1 : 0),
                payment: PaymentIdentity(
                    gateway: GooglePlay.name, paymentID: "token-\(number)", merchantUID: "google-play:\(number)",
                    merchantPaymentID: "GPA.\(number)"), refunded: number == 2 ? 500 : 0)
        }
        let shop = Shop(sold: sold, refunded: ["GPA.1": 0, "GPA.2": 500, "GPA.3": 500, "GPA.5": 1])
        try await sweep(shop, every: .seconds(600)) { _ in }
        #expect(shop.asked == [["GPA.1", "GPA.2"], ["GPA.3", "GPA.4"], ["GPA.5"]])
        #expect(
            shop.seen.withLock { $0.reviews } == ["token-3 refunded:GPA.3:500", "token-5 refunded:GPA.5:1"])
    }
}

/// A Google Play with its sales in our books, which keeps what it is asked.
private final class Shop: TellsRefunds {
    struct Seen {
        var isListDown = false
        /// Sales before it can't be read.
        var salesDownBefore = Date.distantPast
        var lists: [Range<Date>] = []
        /// First pages.
        var orders: [Range<Date>] = []
        var asked: [[String]] = []
        var reviews: [String] = []
    }

    static let name = GooglePlay.name
    static let takenBackReach = GooglePlay.takenBackReach

    let sold: [StoreSaleOfPeriod]
    let refunds: [String: Int64]
    let seen = Mutex(Seen())

    init(sold: [StoreSaleOfPeriod] = [], refunded refunds: [String: Int64] = [:]) {
        (self.sold, self.refunds) = (sold, refunds)
    }

    var lists: [Range<Date>] { seen.withLock { $0.lists } }
    var orders: [Range<Date>] { seen.withLock { $0.orders } }
    var asked: [[String]] { seen.withLock { $0.asked } }

    static func receipt(paymentID: String, merchantUID: String) throws(MalformedIdentifier) -> Receipt {
        try GooglePlay.receipt(paymentID: paymentID, merchantUID: merchantUID)
    }

    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        throw GatewayError(.notFound, message: "")
    }

    func payment(forKnown receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        throw GatewayError(.notFound, message: "")
    }

    func takenBack(in period: Range<Date>) async throws(GatewayError) -> [TakenBack] {
        let isDown = seen.withLock { seen in
            seen.lists.append(period)
            return seen.isListDown
        }
        if isDown { throw GatewayError(.serverError, httpStatus: 503, message: "") }
        return []
    }

    func payments(ofOrders ids: [String]) async throws(GatewayError) -> [String: GatewayPayment] {
        seen.withLock { $0.asked.append(ids) }
        var payments: [String: GatewayPayment] = [:]
        for (id, won) in refunds where ids.contains(id) {
            payments[id] = GatewayPayment(
                gateway: Self.name, paymentID: id, merchantUID: id, status: .partiallyCancelled, amount: 2 * won,
                cancelledAmount: won, currency: "KRW")
        }
        return payments
    }

    /// Two on a page.
    func sales(by gateway: String, in period: Range<Date>, after id: Int64) throws -> [StoreSaleOfPeriod] {
        let isDown = seen.withLock { seen in
            if id == 0 { seen.orders.append(period) }
            return period.upperBound < seen.salesDownBefore
        }
        if isDown { throw LedgerError.unexpected("the books are down") }
        let left = sold.filter { period.contains($0.paidAt) && ($0.paidAt > period.lowerBound || $0.id > id) }
        return Array(left.prefix(2))
    }
}

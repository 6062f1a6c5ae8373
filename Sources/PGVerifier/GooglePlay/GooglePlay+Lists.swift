import CivilTime
package import FoundationEssentials
import OutboundHTTP
import WireFormats

/// Orders that were asked for.
package struct GooglePlayOrders: Sendable {
    package internal(set) var orders: [GooglePlayOrder] = []
    /// Those that Google does not know.
    package internal(set) var missing: [GooglePlayOrderID] = []
    package internal(set) var unreadable: [UnreadableElement] = []
}

extension GooglePlay {
    /// The most orders in a request: Google takes a thousand, whose address would be too long.
    private static let ordersAtOnce = 100

    /// How many days back Google lists voided purchases.
    package static let voidedDays = 30

    /// Looks orders up (`GET …/orders:batchGet`): of all lists only this one shows refunds that left the purchase as it was.
    ///
    /// Google refuses all orders of a request for one that it does not know, so these are found by halves.
    ///
    /// - Throws: ``GatewayError``.
    package func orders(_ ids: [GooglePlayOrderID]) async throws(GatewayError) -> GooglePlayOrders {
        var found = GooglePlayOrders()
        var isNew: Set<GooglePlayOrderID> = []
        let distinct = ids.filter { isNew.insert($0).inserted }
        for start in stride(from: 0, to: distinct.count, by: Self.ordersAtOnce) {
            try await add(distinct[start..<min(start + Self.ordersAtOnce, distinct.count)], to: &found)
        }
        return found
    }

    private func add(
        _ ids: ArraySlice<GooglePlayOrderID>, to found: inout GooglePlayOrders
    ) async throws(GatewayError) {
        do throws(GatewayError) {
            let read = try await client.orders(ids)
            found.orders += read.readable
            found.unreadable += read.unreadable
        } catch {
            guard error.code == .refused, error.httpStatus == 404 || error.httpStatus == 400 else { throw error }
            // No word about the orders: it would call every one of them missing.
            guard error.gatewayType != "applicationNotFound" else { throw error }
            guard ids.count > 1 else {
                found.missing += ids
                return
            }
            let middle = ids.startIndex + ids.count / 2
            try await add(ids[..<middle], to: &found)
            try await add(ids[middle...], to: &found)
        }
    }

    /// Walks the purchases that were taken back (`GET …/purchases/voidedpurchases`), whole or by quantity, oldest first, by the
    /// time at which Google's list had them.
    ///
    /// It reaches back ``voidedDays``. A refund that left the purchase as it was is not in it. Google allows 6,000 pages
    /// a day.
    package func voidedPurchases(in period: Range<Date>) -> GatewayWalk<GooglePlayVoid> {
        client.voidedPurchases(in: period)
    }
}

extension GooglePlayClient {
    /// The most pages that are searched, as many as Google allows at once.
    private static let searchedPages = 30

    /// As many as Google allows: pages are what it counts.
    private static let voidsOfPage = 1000

    fileprivate func voidedPurchases(in period: Range<Date>) -> GatewayWalk<GooglePlayVoid> {
        let query = voidedQuery(of: period)
        return GatewayWalk(by: \.id) { place throws(GatewayError) in
            try await ask(.voided) { attempt throws(GatewayError) in
                try await voidedPurchases(query, at: place, attempt)
            }
        }
    }

    /// The query of the first page: its times stay those of the walk, as Google ignores them beside a place.
    private func voidedQuery(of period: Range<Date>) -> [HTTPURL.Parameter] {
        let now = calls.timing.time.now
        // A minute less than Google has: our clock may be behind.
        let earliest = now.addingTimeInterval(60 - Double(GooglePlay.voidedDays) * 86_400)
        var query = [
            (name: "type", value: "0"), (name: "includeQuantityBasedPartialRefund", value: "true"),
            (name: "maxResults", value: String(Self.voidsOfPage)),
            (name: "startTime", value: String(max(period.lowerBound, earliest).millisecondsSince1970)),
        ]
        // A time in the future is refused; without one, all until now are meant.
        if period.upperBound < now { query.append(("endTime", String(period.upperBound.millisecondsSince1970))) }
        return query
    }

    private func voidedPurchases(
        _ query: [HTTPURL.Parameter], at place: String?, _ attempt: Attempt
    ) async throws(GatewayError) -> GatewayWalk<GooglePlayVoid>.WalkPage {
        let query = query + (place.map { [(name: "token", value: $0)] } ?? [])
        let answer = try await answer(
            to: GatewayCall(path: ["purchases", "voidedpurchases"], query: query, answersMany: true), of: .voided,
            attempt)
        let read = try ReadElements(
            try answer.list("voidedPurchases"), of: GooglePlay.name,
            names: (paymentID: "purchaseToken", merchantUID: "purchaseToken", merchantPaymentID: "orderId")
        ) { item throws(GatewayError) in try GooglePlayVoid(PlayMembers(item)) }
        let next = answer["tokenPagination"]?["nextPageToken"]?.text
        return GatewayWalk.WalkPage(read, next: next.flatMap { $0.isEmpty || $0 == place ? nil : $0 })
    }

    /// The order of a purchase among those that were taken back; nil: it is not there, as far as can be told.
    func orderOfVoided(_ token: PurchaseToken) async throws(GatewayError) -> GooglePlayOrderID? {
        try await voidedOrders.order(of: token) {
            do throws(GatewayError) {
                return .success(try await walkVoided())
            } catch {
                return .failure(error)
            }
        }
    }

    private func walkVoided() async throws(GatewayError) -> GooglePlayVoidedOrders.Listed {
        let walk = voidedPurchases(in: .distantPast ..< .distantFuture)
        var listed = GooglePlayVoidedOrders.Listed()
        var place: String?
        repeat {
            let page = try await walk.page(at: place)
            for void in page.elements { if let order = void.orderID { listed.orders[void.token] = order } }
            listed.pages += 1
            place = page.next
        } while place != nil && listed.pages < Self.searchedPages
        return listed
    }

    fileprivate func orders(
        _ ids: ArraySlice<GooglePlayOrderID>
    ) async throws(GatewayError) -> ReadElements<GooglePlayOrder> {
        let asked = calls.timing.time.now
        let query = ids.map { (name: "orderIds", value: $0.text) }
        let answer = try await ask(.orders) { attempt throws(GatewayError) in
            try await self.answer(
                to: GatewayCall(path: ["orders"], verb: "batchGet", query: query, answersMany: true), of: .orders,
                attempt)
        }
        let items = try answer.list("orders")
        guard items.count == ids.count, Set(items.compactMap { $0["orderId"]?.text }) == Set(ids.map(\.text)) else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response has other orders")
        }
        return try ReadElements(
            items, of: GooglePlay.name,
            names: (paymentID: "purchaseToken", merchantUID: "purchaseToken", merchantPaymentID: "orderId")
        ) { item throws(GatewayError) in
            try GooglePlayOrder(PlayMembers(item), app: configuration.packageName, toldAt: asked)
        }
    }
}

extension JSON {
    /// The elements of a list; none if the member is absent.
    fileprivate func list(_ name: String) throws(GatewayError) -> [JSON] {
        guard let list = self[name], list != .null else { return [] }
        guard let elements = list.elements else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response isn't a page")
        }
        return elements
    }
}

extension Date {
    fileprivate var millisecondsSince1970: Int64 { microsecondsSince1970 / 1000 }
}

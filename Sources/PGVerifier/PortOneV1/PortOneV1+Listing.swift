package import FoundationEssentials
import OutboundHTTP
import Timing

extension PortOneV1: ListsPayments {
    /// The payments that got their present status in the period, and those that were cancelled after it: some of them
    /// were paid in it.
    package static let lists = ["payments", "cancellations"]

    /// A page of one of the ``lists``.
    ///
    /// - Throws: ``GatewayError`` if it can't be fetched.
    package func page(
        of list: String, in period: Range<Date>, at place: String?
    ) async throws(GatewayError) -> ListedPage {
        let walk: PaymentWalk
        switch list {
        case "payments": walk = payments(in: period.lowerBound...period.upperBound)
        case "cancellations":
            // Up to now, plus a minute for the difference between the clocks.
            let now = Time.current.now.addingTimeInterval(60)
            guard period.upperBound < now else { return ListedPage() }
            walk = payments(.cancelled, in: period.upperBound...now)
        default: return ListedPage()
        }
        return ListedPage(try await walk.page(at: place), ListedPage.Element.payment)
    }
}

extension PortOneV1 {
    /// The statuses of V1's payment lists.
    package enum ListedStatus: String, Hashable, Sendable, CaseIterable {
        /// Started, not paid.
        case ready
        /// Paid, not cancelled.
        case paid
        /// Cancelled, whole or in part.
        case cancelled
        /// Failed.
        case failed
    }

    /// Walks the payments of a period by the time of their current status (`GET /payments/status/all`).
    package func payments(in period: ClosedRange<Date>) -> PaymentWalk {
        walk(["payments", "status", "all"], period: period)
    }

    /// Walks the payments with a status that they reached in a period (`GET /payments/status/{status}`).
    ///
    /// A payment leaves the `paid` list of its day when a part is cancelled, and moves to the `cancelled` list of that
    /// time.
    package func payments(_ status: ListedStatus, in period: ClosedRange<Date>) -> PaymentWalk {
        walk(["payments", "status", status.rawValue], period: period)
    }

    /// Walks a paged list, oldest first, one window of the period after another.
    func walk(_ path: [String], period: ClosedRange<Date>?) -> PaymentWalk {
        let windows = period.map(Self.windows) ?? [nil]
        return PaymentWalk(by: \.paymentID) { place throws(GatewayError) in
            let place = PortOneV1Place(place)
            guard place.window < windows.count else { return PaymentWalk.WalkPage(.init(), next: nil) }
            let page = try await page(path, windows[place.window], place.page)
            let next = place.next(after: page, pageSize: client.configuration.limits.pageSize)
            // A total is one of a window.
            return PaymentWalk.WalkPage(
                page.payments, next: next.window < windows.count ? next.text : nil,
                total: windows.count == 1 ? page.total : nil)
        }
    }

    /// A period has at most 90 days (PortOne V1 contract, lookups); both ends of a window are inclusive, in seconds.
    static func windows(of period: ClosedRange<Date>) -> [ClosedRange<Int64>?] {
        let first = Int64(period.lowerBound.timeIntervalSince1970.rounded(.down))
        let last = Int64(period.upperBound.timeIntervalSince1970.rounded(.down))
        return stride(from: first, through: last, by: Int(longestWindow) + 1).map { $0...min($0 + longestWindow, last) }
    }

    private static var longestWindow: Int64 { 90 * 86_400 }

    private func page(
        _ path: [String], _ window: ClosedRange<Int64>?, _ number: Int
    ) async throws(GatewayError) -> PortOneV1Page {
        var query: [HTTPURL.Parameter] = [
            ("page", String(number)), ("limit", String(client.configuration.limits.pageSize)), ("sorting", "started"),
        ]
        if let window { query += [("from", String(window.lowerBound)), ("to", String(window.upperBound))] }
        do throws(GatewayError) {
            let answer = try await client.ask("list", GatewayCall(path: path, query: query, answersMany: true))
            return try PortOneV1Page(answer.response)
        } catch {
            guard error.isPastTheEnd(number) else { throw error }
            return .pastTheEnd
        }
    }
}

extension GatewayError {
    /// A page after the last returns 400, an order without payments 404.
    fileprivate func isPastTheEnd(_ page: Int) -> Bool {
        isNoSuchThing || (page > 1 && code == .refused && httpStatus == 400)
    }
}

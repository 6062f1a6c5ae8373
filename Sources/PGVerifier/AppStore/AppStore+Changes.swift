package import FoundationEssentials

extension AppStore: ListsChanges {
    /// The notifications of production, also those that did not arrive: what was sold since May 2025, and refunds.
    ///
    /// Nobody pays in the sandbox.
    package static let lists = ["notifications"]

    package func page(
        of list: String, in period: Range<Date>, at place: String?
    ) async throws(GatewayError) -> ListedPage {
        guard Self.lists.contains(list), let start = Place(place, in: period, at: client.time.now) else {
            return ListedPage()
        }
        let found: GatewayWalk<AppStoreDelivery>.WalkPage
        do throws(GatewayError) {
            found = try await notifications(in: start.period, of: .production).page(at: start.token)
        } catch {
            // 401 is production's answer about an app that was never released, too: it has sold nothing.
            guard error.httpStatus == 401, start.token == nil, await canBeUnreleased() else { throw error }
            return ListedPage()
        }
        var page = ListedPage()
        page.elements = found.elements.compactMap(\.notification.changed).map(ListedPage.Element.named)
        page.elements += found.unreadable.map(ListedPage.Element.unreadable)
        page.next = found.next.map { start.next($0).text }
        return page
    }

    /// Whether the sandbox takes our key, or is not accepted, so that nothing can tell: it says that there is no such transaction.
    ///
    /// A wrong key is then refused for the first purchase of the books, too.
    private func canBeUnreleased() async -> Bool {
        guard client.environments.contains(.sandbox) else { return true }
        do throws(GatewayError) {
            let nothing = GatewayCall(path: ["inApps", "v1", "transactions", "0"])
            _ = try await client.host(.sandbox).ask(.payment, nothing)
            return true
        } catch {
            return error.code == .notFound
        }
    }
}

/// A place in the history of notifications: the store's own goes with the period that was asked for.
private struct Place {
    /// In milliseconds since 1970.
    private let from: Int64
    private let to: Int64
    let token: String?

    /// - Parameter place: one that was stored; nil for the first.
    /// - Returns: nil if nothing of the period is listed.
    init?(_ place: String?, in period: Range<Date>, at now: Date) {
        if let place { self.init(place) } else { self.init(in: period, at: now) }
    }

    /// An hour less than the store's days: its clock may be ahead of ours.
    private init?(in period: Range<Date>, at now: Date) {
        let earliest = now - Double(AppStoreEnvironment.production.notificationDays) * 86_400 + 3600
        from = Self.milliseconds(max(period.lowerBound, earliest))
        to = Self.milliseconds(min(period.upperBound, now))
        token = nil
        guard from < to else { return nil }
    }

    private init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let from = Int64(parts[0]), let to = Int64(parts[1]), from < to else { return nil }
        (self.from, self.to, token) = (from, to, String(parts[2]))
    }

    private init(_ place: Place, token: String) {
        (from, to, self.token) = (place.from, place.to, token)
    }

    func next(_ token: String) -> Place { Place(self, token: token) }

    var text: String { "\(from) \(to) \(token ?? "")" }
    var period: Range<Date> { Self.date(from)..<Self.date(to) }

    private static func milliseconds(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970 * 1000) }
    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension AppStoreNotification {
    /// The purchase that was made, refunded, or whose refund was taken back; nil: it tells of nothing of the kind.
    fileprivate var changed: Receipt? {
        switch kind {
        case .oneTimeCharge, .refund, .refundReversed: transaction?.receipt
        default: nil
        }
    }
}

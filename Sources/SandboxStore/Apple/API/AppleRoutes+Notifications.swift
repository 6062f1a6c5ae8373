import FoundationEssentials
import Hummingbird
import SandboxSupport

extension AppleRoutes {
    func notificationHistory(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let filter = try NotificationFilter(
            try await Self.body(request), now: clock.now, days: environment.historyDays)
        let place: Int
        switch request.query["paginationToken"] {
        case nil: place = 0
        case .some(let text):
            guard let found = Revision.place(text) else { throw AppleRefusal.invalidPaginationToken }
            place = found
        }
        var customer: String?
        if let id = filter.transactionID { customer = try await state.customer(of: id, in: environment) }
        let sent = await notifications.book.sent(in: environment).filter {
            filter.accepts($0) && (customer == nil || $0.customer == customer)
        }
        let page = sent.filter { $0.number > place }.prefix(AppleState.pageSize)
        let hasMore = page.last?.number != sent.last?.number && !page.isEmpty
        var members: [String: JSONValue] = [
            "notificationHistory": .array(page.map(\.historyItem)), "hasMore": .bool(hasMore),
        ]
        if hasMore { members["paginationToken"] = page.last.map { .string(Revision.text($0.number)) } }
        return AppleAnswer.json(.object(members))
    }

    func requestTest(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let notification = try await notifications.announce(.test(in: environment)) else {
            throw AppleRefusal.noNotificationURL
        }
        return AppleAnswer.json(.object(["testNotificationToken": .string(notification.testToken)]))
    }

    func testStatus(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let token = try context.segment("token")
        guard token.utf8.count > 36 else { throw AppleRefusal.invalidTestToken }
        let found = await notifications.book.all(in: environment).first {
            $0.type == "TEST" && $0.testToken == token
        }
        guard let found else { throw AppleRefusal.testNotificationNotFound }
        return AppleAnswer.json(found.historyItem)
    }
}

/// The body of a request for the notification history.
struct NotificationFilter: Sendable {
    let transactionID: String?
    private let start: Date
    private let end: Date
    private let type: String?
    private let subtype: String?
    private let isOnlyFailures: Bool

    init(_ body: [String: JSONValue], now: Date, days: Double) throws(AppleRefusal) {
        start = try Self.time(body["startDate"], orThrow: .invalidStartDate)
        end = try Self.time(body["endDate"], orThrow: .invalidEndDate)
        guard start < end else { throw .startDateAfterEndDate }
        guard start >= now.addingTimeInterval(-days * 86_400) else { throw .startDateTooFarInPast }
        transactionID = Self.text(body["transactionId"])
        type = Self.text(body["notificationType"])
        subtype = Self.text(body["notificationSubtype"])
        guard transactionID == nil || type == nil else { throw .multipleFilters }
        isOnlyFailures = body["onlyFailures"] == .bool(true)
    }

    func accepts(_ notification: AppleNotification) -> Bool {
        (start...end).contains(Date(milliseconds: notification.createdAt.milliseconds))
            && (type == nil || notification.type == type) && (subtype == nil || notification.subtype == subtype)
            && !(isOnlyFailures && notification.isDelivered)
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    private static func time(_ value: JSONValue?, orThrow refusal: AppleRefusal) throws(AppleRefusal) -> Date {
        guard case .number(let number) = value, let milliseconds = Int(number.description) else { throw refusal }
        return Date(milliseconds: milliseconds)
    }
}

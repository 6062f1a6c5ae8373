import CivilTime
package import FoundationEssentials
import WireFormats

/// A notification in the store's history, with the attempts to deliver it.
package struct AppStoreDelivery: Hashable, Sendable {
    package struct Attempt: Hashable, Sendable {
        package let at: Date?
        /// `SUCCESS`, `TIMED_OUT`, `TLS_ISSUE`, … or one that this version doesn't know.
        package let result: String
    }

    package let notification: AppStoreNotification
    package let attempts: [Attempt]
}

/// What is listed of the notifications of a period.
package enum AppStoreNotificationFilter: Hashable, Sendable {
    case all
    case kind(AppStoreNotification.Kind)
    case transaction(TransactionID)
}

extension AppStore {
    /// Walks the notifications of a period (`POST /inApps/v1/notifications/history`), including what was never delivered.
    ///
    /// It reaches back ``AppStoreEnvironment/notificationDays``. The refunds of an app are listed nowhere else.
    ///
    /// - Parameter onlyFailures: only those that were not delivered.
    package func notifications(
        in period: Range<Date>, of environment: AppStoreEnvironment, _ filter: AppStoreNotificationFilter = .all,
        onlyFailures: Bool = false
    ) -> GatewayWalk<AppStoreDelivery> {
        var members: [String: JSON] = [
            "startDate": .milliseconds(period.lowerBound), "endDate": .milliseconds(period.upperBound),
        ]
        switch filter {
        case .all: break
        case .kind(let kind): members["notificationType"] = .string(kind.rawValue)
        case .transaction(let id): members["transactionId"] = .string(id.text)
        }
        if onlyFailures { members["onlyFailures"] = .bool(true) }
        let body = JSON.object(members)
        return GatewayWalk(by: \.notification.id) { place throws(GatewayError) in
            let host = try client.host(environment)
            let answer = try await host.ask(
                .notifications,
                GatewayCall(
                    method: .post, path: ["inApps", "v1", "notifications", "history"],
                    query: place.map { [(name: "paginationToken", value: $0)] } ?? [], body: body, answersMany: true))
            let items = try answer.page("notificationHistory")
            let read = await client.read(items) { item throws(GatewayError) in
                try await delivery(item, from: host)
            }
            return GatewayWalk.WalkPage(read, next: answer.next("paginationToken"))
        }
    }

    /// One for each accepted environment.
    package var notificationLists: [NotificationList] {
        client.environments.map { NotificationList(name: $0.rawValue, days: $0.notificationDays) }
    }

    package func notifications(
        of list: NotificationList, in period: Range<Date>, at place: String?
    ) async throws(GatewayError) -> NotificationPage {
        guard let environment = AppStoreEnvironment(rawValue: list.name) else {
            throw GatewayError(.invalidRequest, message: "no list has this name")
        }
        let page = try await notifications(in: period, of: environment).page(at: place)
        return NotificationPage(
            events: page.elements.map { WebhookEvent($0.notification) }, unreadable: page.unreadable.map(\.error),
            next: page.next)
    }

    /// Walks the refunds of the customer who made a transaction (`GET /inApps/v2/refund/lookup/{id}`), oldest first.
    package func refunds(
        ofCustomerOf id: TransactionID, in environment: AppStoreEnvironment
    ) -> GatewayWalk<AppStoreTransaction> {
        GatewayWalk(by: \.refundID) { place throws(GatewayError) in
            let host = try client.host(environment)
            let answer = try await host.ask(
                .refunds,
                GatewayCall(
                    path: ["inApps", "v2", "refund", "lookup", id.text],
                    query: place.map { [(name: "revision", value: $0)] } ?? [], answersMany: true))
            let items = try answer.page("signedTransactions")
            let read = await client.read(items) { item throws(GatewayError) in
                try await client.transaction(item, from: host)
            }
            return GatewayWalk.WalkPage(read, next: answer.next("revision"))
        }
    }

    /// The transactions of an order in a customer's mail (`GET /inApps/v1/lookup/{orderId}`); none if the store does not
    /// know it.
    ///
    /// - Throws: ``GatewayError``, also if one of them can't be read.
    package func transactions(
        ofOrder id: AppStoreOrderID, in environment: AppStoreEnvironment = .production
    ) async throws(GatewayError) -> [AppStoreTransaction] {
        let host = try client.host(environment)
        let answer = try await host.ask(
            .order, GatewayCall(path: ["inApps", "v1", "lookup", id.text], answersMany: true))
        // 0: valid, 1: invalid.
        guard answer["status"]?.integer == 0 else { return [] }
        var transactions: [AppStoreTransaction] = []
        for signed in try answer.page("signedTransactions") {
            transactions.append(try await client.transaction(signed, from: host))
        }
        return transactions
    }

    /// Production is asked: Apple sends mail of no other purchases.
    package func payments(ofMailedOrder id: String) async throws(GatewayError) -> [GatewayPayment] {
        guard let order = try? AppStoreOrderID(id) else { return [] }
        var payments: [GatewayPayment] = []
        for transaction in try await transactions(ofOrder: order) { payments.append(try transaction.payment()) }
        return payments
    }

    /// Has the store send a test notification (`POST /inApps/v1/notifications/test`).
    ///
    /// - Returns: what asks for its fate, ``delivery(ofTest:in:)``.
    /// - Throws: ``GatewayError``.
    package func requestTestNotification(in environment: AppStoreEnvironment) async throws(GatewayError) -> String {
        let call = GatewayCall(
            method: .post, path: ["inApps", "v1", "notifications", "test"], isUnrepeatable: true)
        let answer = try await client.host(environment).ask(.test, call, repeats: false)
        guard let token = answer["testNotificationToken"]?.text, !token.isEmpty else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response has no token")
        }
        return token
    }

    /// What became of a test notification (`GET /inApps/v1/notifications/test/{token}`).
    ///
    /// - Throws: ``GatewayError``, refused as long as it was not sent.
    package func delivery(
        ofTest token: String, in environment: AppStoreEnvironment
    ) async throws(GatewayError) -> AppStoreDelivery {
        guard token.isOnePathSegment else { throw GatewayError(.invalidRequest, message: "no token of a test") }
        let host = try client.host(environment)
        let call = GatewayCall(path: ["inApps", "v1", "notifications", "test", token])
        return try await delivery(try await host.ask(.test, call), from: host)
    }

    private func delivery(_ item: JSON, from host: AppStoreHost) async throws(GatewayError) -> AppStoreDelivery {
        AppStoreDelivery(
            notification: try await client.notification(item["signedPayload"], from: host),
            attempts: (item["sendAttempts"]?.elements ?? []).map { attempt in
                AppStoreDelivery.Attempt(
                    at: try? SignedMembers(attempt).time("attemptDate"),
                    result: attempt["sendAttemptResult"]?.text ?? "UNKNOWN")
            })
    }
}

extension AppStoreTransaction {
    /// A further refund of the same purchase is another element of a list.
    fileprivate var refundID: String { "\(id) \(revocation?.percentage ?? 0)" }
}

extension AppStoreClient {
    /// Reads each element separately, so an unreadable one does not affect the others.
    fileprivate func read<Element: Sendable>(
        _ items: [JSON], _ read: (JSON) async throws(GatewayError) -> Element
    ) async -> ReadElements<Element> {
        var elements = ReadElements<Element>()
        for item in items {
            do throws(GatewayError) {
                elements.readable.append(try await read(item))
            } catch {
                elements.unreadable.append(
                    UnreadableElement(
                        gateway: AppStore.name, paymentID: nil, merchantUID: nil, merchantPaymentID: nil, error: error))
            }
        }
        return elements
    }
}

extension JSON {
    fileprivate static func milliseconds(_ date: Date) -> JSON { .number(String(date.microsecondsSince1970 / 1000)) }

    /// The elements of a page; none if the member is absent.
    fileprivate func page(_ name: String) throws(GatewayError) -> [JSON] {
        guard let list = self[name], list != .null else { return [] }
        guard let elements = list.elements else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response isn't a page")
        }
        return elements
    }

    /// The next place; nil at the end.
    fileprivate func next(_ name: String) -> String? { self["hasMore"]?.flag == true ? self[name]?.text : nil }
}

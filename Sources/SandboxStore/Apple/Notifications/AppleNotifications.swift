import FoundationEssentials
import Logging
import SandboxSupport
import ServiceLifecycle

/// Sends notifications to the shop's server, with Apple's retries.
struct AppleNotifications: Service {
    let book = NotificationBook()
    let urls: NotificationURLs
    let app: SandboxStoreConfiguration.Apple
    let signer: AppleSigner
    let clock: SandboxClock
    let logger: Logger
    private let loop = DeliveryLoop()

    init(app: SandboxStoreConfiguration.Apple, signer: AppleSigner, clock: SandboxClock, logger: Logger) {
        urls = NotificationURLs(app.urls)
        self.app = app
        self.signer = signer
        self.clock = clock
        self.logger = logger
    }

    // MARK: Notifications

    /// Queues a notification; nil if no URL is configured for its environment.
    @discardableResult
    func announce(_ content: NotificationContent) async throws -> AppleNotification? {
        guard let url = urls[content.environment] else { return nil }
        let rule = await book.takeRule {
            ($0.type == nil || $0.type == content.type)
                && ($0.environment == nil || $0.environment == content.environment)
        }
        let now = clock.now
        let uuid = UUID().uuidString.lowercased()
        let payload = try payload(content, uuid: uuid, now: now)
        let signed = try signer.sign(payload, rule?.defect ?? .none)
        defer { loop.wakeUp() }
        let notification = AppleNotification(
            uuid: uuid, type: content.type, subtype: content.subtype, environment: content.environment,
            transactionID: content.transaction?.id, customer: content.transaction?.customer, signedPayload: signed,
            createdAt: now, url: url)
        return await book.add(notification, by: rule?.act, now: now)
    }

    /// Queues any payload, signed with a defect or without one.
    ///
    /// - Returns: nil if no URL is configured.
    func announce(
        _ payload: [String: JSONValue], _ defect: SigningDefect, in environment: AppleEnvironment
    ) async throws -> AppleNotification? {
        guard let url = urls[environment] else { return nil }
        let now = clock.now
        let signed = try signer.sign(.object(payload), defect)
        defer { loop.wakeUp() }
        let notification = AppleNotification(
            uuid: Self.text(payload["notificationUUID"]) ?? "", type: Self.text(payload["notificationType"]) ?? "",
            subtype: Self.text(payload["subtype"]), environment: environment, transactionID: nil, customer: nil,
            signedPayload: signed, createdAt: now, url: url)
        return await book.add(notification, by: nil, now: now)
    }

    func resend(_ number: Int) async -> AppleNotification? {
        defer { loop.wakeUp() }
        return await book.resend(number, now: clock.now)
    }

    func release(_ arrangement: Arrangement) async -> Int {
        defer { loop.wakeUp() }
        return await book.release(arrangement, now: clock.now)
    }

    /// Wakes the sender after the clock was advanced.
    func clockTurned() { loop.wakeUp() }

    /// The payload (responseBodyV2DecodedPayload); the sandbox has no Apple ID of the app.
    private func payload(_ content: NotificationContent, uuid: String, now: Date) throws -> JSONValue {
        var data: [String: JSONValue] = [
            "bundleId": .string(app.bundleID), "environment": .string(content.environment.rawValue),
        ]
        if content.environment == .production { data["appAppleId"] = .int(app.appAppleID) }
        if let transaction = content.transaction {
            data["bundleId"] = .string(transaction.bundleID)
            data["bundleVersion"] = .string("1")
            data["signedTransactionInfo"] = .string(
                try signer.sign(transaction.payload(signedAt: now), transaction.defect))
        }
        data["consumptionRequestReason"] = content.consumptionReason.map(JSONValue.string)
        var members: [String: JSONValue] = [
            "notificationType": .string(content.type), "notificationUUID": .string(uuid),
            "version": .string("2.0"), "signedDate": .int(now.milliseconds), "data": .object(data),
        ]
        members["subtype"] = content.subtype.map(JSONValue.string)
        return .object(members)
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    // MARK: Sending

    func run() async throws {
        await loop.run(clock: clock, due: { await book.due(now: $0, limit: $1) }, deliver: deliver)
    }

    private func deliver(_ notification: AppleNotification) async {
        let startedAt = clock.now
        let post = WebhookPost(
            url: notification.url, body: notification.body, headers: [("Content-Type", "application/json")])
        let attempt: Delivery.Attempt
        do {
            let status = try await post.send(within: .seconds(max(1, clock.scaled(30)))).status
            attempt = .init(
                at: startedAt,
                result: (200...206).contains(status) ? Delivery.Attempt.success : "UNSUCCESSFUL_HTTP_RESPONSE_CODE",
                status: status)
        } catch {
            attempt = .init(at: startedAt, result: Self.result(of: WebhookPost.Failure(error)), status: nil)
            logger.info("notification lost", metadata: ["error": "\(error)", "uuid": "\(notification.uuid)"])
        }
        await book.attempted(notification.number, attempt, clock: clock)
    }

    private static func result(of failure: WebhookPost.Failure) -> String {
        switch failure {
        case .timedOut: "TIMED_OUT"
        case .connection: "SOCKET_ISSUE"
        case .closed: "PREMATURE_CLOSE"
        case .invalidAnswer: "INVALID_RESPONSE"
        case .other: "OTHER"
        }
    }
}

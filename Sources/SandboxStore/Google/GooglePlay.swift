import FoundationEssentials
import Logging
import SandboxSupport
import ServiceLifecycle

/// Google Play's purchases, and the messages about them that Pub/Sub pushes to the shop's server.
struct GooglePlay: Service {
    let app: SandboxStoreConfiguration.Google
    let state = PlayState()
    let settings: PlaySettings
    let outbox = Outbox<PlayMessage, PlayMessageRule>()
    let signer: PushTokenSigner
    let clock: SandboxClock
    let logger: Logger
    private let loop = DeliveryLoop()

    /// Within how many seconds a push must be answered.
    private static let deadline = 10.0
    /// What acknowledges a message (Push subscriptions).
    private static let acknowledgements = [102, 200, 201, 202, 204]

    init(app: SandboxStoreConfiguration.Google, keys: GoogleKeys, clock: SandboxClock, logger: Logger) {
        self.app = app
        settings = PlaySettings(app)
        signer = PushTokenSigner(keys: keys, clock: clock)
        self.clock = clock
        self.logger = logger
    }

    // MARK: Purchases

    /// Makes a purchase, and tells the shop once it is paid.
    func buy(_ draft: PlayPurchaseDraft) async throws -> PlayPurchase {
        await voidUnacknowledged()
        let purchase = try await state.buy(draft, now: clock.now)
        if draft.isAnnounced, purchase.state == .purchased { await publish(.purchased, about: purchase) }
        // Time for its acknowledgement runs.
        loop.wakeUp()
        return purchase
    }

    func change(_ token: String, _ change: PlayChange) async throws -> PlayPurchase {
        await voidUnacknowledged()
        let now = clock.now
        let (purchase, effect) = try await state.change(token) {
            (purchase, mint) throws(ControlError) in try change.apply(to: &purchase, &mint, now: now)
        }
        if change.isAnnounced, let notification = effect.notification {
            await publish(notification, about: purchase)
        }
        loop.wakeUp()
        return purchase
    }

    /// Takes back what nobody acknowledged in time.
    ///
    /// - Returns: when the next purchase will be.
    @discardableResult
    func voidUnacknowledged() async -> Date? {
        let settings = settings.current
        let (voided, nextAt) = await state.voidUnacknowledged(now: clock.now) {
            $0.kind == .test ? settings.testAcknowledgeWithin : settings.acknowledgeWithin
        }
        for purchase in voided { await publish(.voided(isWhole: true), about: purchase) }
        return nextAt
    }

    // MARK: Messages

    /// Publishes a message; nil if no URL is configured, or Google doesn't tell this.
    @discardableResult
    func publish(_ notification: DeveloperNotification, about purchase: PlayPurchase?) async -> PlayMessage? {
        let settings = settings.current
        guard settings.pushURL != nil, settings.tellsOneTime || !notification.isOneTime else { return nil }
        let data = notification.data(about: purchase, of: app.packageName, now: clock.now)
        let rule = await outbox.takeRule { $0.type == nil || $0.type == notification.type }
        return await publish(
            data.jsonText, type: notification.type, purchaseToken: purchase?.token, rule?.act, rule?.defect ?? .none)
    }

    /// Publishes any data; nil if no URL is configured.
    func publish(
        _ data: String, type: String, purchaseToken: String?, _ act: PlayMessageRule.Act?, _ defect: TokenDefect
    ) async -> PlayMessage? {
        let settings = settings.current
        guard let url = settings.pushURL else { return nil }
        let now = clock.now
        defer { loop.wakeUp() }
        var delivery = Delivery(dueAt: now)
        switch act {
        case .hold: delivery = Delivery(state: .held)
        case .drop: delivery = Delivery(state: .failed)
        default: break
        }
        var message = PlayMessage(
            type: type, purchaseToken: purchaseToken, data: data, publishedAt: now, url: url,
            audience: settings.audience ?? url, email: settings.pushEmail,
            subscription: settings.subscription + (act == .misdirect ? "-other" : ""), defect: defect,
            backoff: settings.backoff, delivery: delivery)
        let published = await outbox.add(message)
        if act == .republish { message.id = PlayMessage.newID() }
        if act == .duplicate || act == .republish { await outbox.add(message) }
        return published
    }

    func resend(_ number: Int) async -> PlayMessage? {
        defer { loop.wakeUp() }
        return await outbox.resend(number, now: clock.now)
    }

    func release(_ arrangement: Arrangement) async -> Int {
        defer { loop.wakeUp() }
        return await outbox.release(arrangement, now: clock.now)
    }

    /// Wakes the sender after the clock was advanced.
    func clockTurned() { loop.wakeUp() }

    // MARK: Sending

    func run() async throws {
        await loop.run(
            clock: clock,
            due: { now, limit in
                let next = await voidUnacknowledged()
                let (due, nextAt) = await outbox.due(now: now, limit: limit)
                return (due, [next, nextAt].compactMap(\.self).min())
            }, deliver: deliver)
    }

    private func deliver(_ message: PlayMessage) async {
        let startedAt = clock.now
        let attempt: Delivery.Attempt
        do {
            var headers = [("Content-Type", "application/json")]
            if let token = try signer.token(for: message.audience, message.email, message.defect) {
                headers.append(("Authorization", "Bearer " + token))
            }
            let post = WebhookPost(url: message.url, body: message.body, headers: headers)
            let status = try await post.send(within: .seconds(max(1, clock.scaled(Self.deadline)))).status
            let isAcknowledged = Self.acknowledgements.contains(status)
            attempt = .init(
                at: startedAt, result: isAcknowledged ? Delivery.Attempt.success : "UNSUCCESSFUL_HTTP_RESPONSE_CODE",
                status: status)
        } catch {
            attempt = .init(at: startedAt, result: "NO_RESPONSE", status: nil)
            logger.info("message lost", metadata: ["error": "\(error)", "message_id": "\(message.id)"])
        }
        await outbox.attempted(message.number, attempt, clock: clock)
    }
}

import FoundationEssentials
import Hummingbird
import Logging
import SandboxSupport
import ServiceLifecycle

/// The receivers of an act's messages.
struct WebhookAudience: Sendable {
    let v1: Bool
    let v2: Bool

    static let everybody = WebhookAudience(v1: true, v2: true)
}

/// Sends webhooks: V1's unsigned, V2's signed, each with its API's retries (PortOne V1 and V2 contracts, webhooks).
struct WebhookOutbox: Service {
    let book: WebhookBook
    let clock: SandboxClock
    private let settings: OutboxSettings
    private let logger: Logger
    private let loop = DeliveryLoop()

    init(settings: OutboxSettings, book: WebhookBook, clock: SandboxClock, logger: Logger) {
        self.settings = settings
        self.book = book
        self.clock = clock
        self.logger = logger
    }

    // MARK: Messages

    /// Queues the messages of an act: those of the payment's API, or of both.
    func announce(_ change: PaymentChangeResult, to audience: WebhookAudience = .everybody) async {
        for step in change.steps { await announce(step, of: change.payment, to: audience) }
    }

    func announce(_ step: PaymentStep, of payment: SandboxPayment, to audience: WebhookAudience = .everybody) async {
        let home = payment.draft.home
        if audience.v1, home != .v2,
            let message = WebhookMessage(v1: step, of: payment, isForm: settings.v1IsForm)
        {
            // A payment of both APIs has V2's notice URLs, so that they don't get two messages.
            let notice = home == .v1 || settings.v2URL == nil ? message.noticeURLs : []
            await send(message, to: notice.isEmpty ? settings.v1URL.map { [$0] } ?? [] : notice)
        }
        if audience.v2, home == .v2 || (home == .both && settings.v2URL != nil) {
            let message = WebhookMessage(v2: step, of: payment, version: settings.v2Version, at: clock.now)
            let urls = message.noticeURLs
            await send(message, to: urls.isEmpty ? settings.v2URL.map { [$0] } ?? [] : urls)
        }
    }

    func send(_ message: WebhookMessage, to urls: [String]) async {
        guard !urls.isEmpty else { return }
        await book.add(message, to: urls, now: clock.now)
        loop.wakeUp()
    }

    /// The default webhook URL of an API.
    func url(of api: SandboxPayment.Version) -> String? { api == .v1 ? settings.v1URL : settings.v2URL }

    func resend(_ number: Int) async -> WebhookDelivery? {
        defer { loop.wakeUp() }
        return await book.resend(number, now: clock.now)
    }

    func release(_ arrangement: WebhookBook.Arrangement) async -> [WebhookDelivery] {
        defer { loop.wakeUp() }
        return await book.release(arrangement, now: clock.now)
    }

    /// Wakes the sender after the clock was advanced.
    func clockTurned() { loop.wakeUp() }

    // MARK: Sending

    func run() async throws {
        await loop.run(clock: clock, due: { await book.due(now: $0, limit: $1) }, deliver: deliver)
    }

    private func deliver(_ delivery: WebhookDelivery) async {
        let startedAt = clock.now
        let post = WebhookPost(
            url: delivery.url, body: delivery.message.body,
            headers: delivery.headers(signer: settings.signer, now: startedAt))
        let attempt: WebhookDelivery.Attempt
        do {
            let answer = try await post.send(within: .seconds(max(1, clock.scaled(30))))
            attempt = WebhookDelivery.Attempt(
                at: startedAt, status: answer.status, header: answer.header, body: answer.body, error: nil,
                respondedAt: clock.now)
            logger.debug("webhook sent", metadata: ["status": "\(answer.status)", "id": "\(delivery.id)"])
        } catch {
            attempt = WebhookDelivery.Attempt(
                at: startedAt, status: nil, header: "", body: "", error: "\(error)", respondedAt: clock.now)
            logger.info("webhook lost", metadata: ["error": "\(error)", "id": "\(delivery.id)"])
        }
        await book.attempted(delivery.number, attempt, v1Retries: settings.v1Retries, clock: clock)
    }
}

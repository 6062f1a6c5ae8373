import FoundationEssentials
import SandboxSupport

/// The latest 10,000 webhooks, and the plan for the next ones.
actor WebhookBook {
    /// The action for a matching message.
    struct Rule: Sendable {
        enum Act: String, Sendable, CaseIterable {
            case hold
            case drop
            case duplicate
            case wrongSecret = "wrong_secret"
            case stale
            case unsigned
        }

        let act: Act
        let api: SandboxPayment.Version?
        let type: String?
        var times: Int

        func matches(_ message: WebhookMessage) -> Bool {
            (api == nil || api == message.api) && (type == nil || type == message.type)
        }
    }

    /// The order in which held messages are sent.
    enum Arrangement: String, Sendable, CaseIterable {
        case sent
        case reversed
        case shuffled
    }

    private(set) var rules: [Rule] = []
    private let file: StateFile?
    private var deliveries: [WebhookDelivery]
    private var made: Int
    private var inFlight: Set<Int> = []

    static let capacity = 10_000

    init(_ saved: [WebhookDelivery] = [], file: StateFile? = nil) {
        self.file = file
        deliveries = saved.suffix(Self.capacity)
        made = saved.last?.number ?? 0
    }

    func setRules(_ rules: [Rule]) { self.rules = rules.filter { $0.times > 0 } }

    /// Adds a message for each of `urls`, by the rules.
    func add(_ message: WebhookMessage, to urls: [String], now: Date) {
        let act = takeRule(message)
        for url in urls {
            var delivery = WebhookDelivery(
                number: made + 1, id: "msg_" + UUID().uuidString.lowercased(), message: message, url: url)
            delivery.dueAt = now
            delivery.follows = deliveries.last { $0.message.impUID == message.impUID && $0.url == url }?.number
            switch act {
            case nil: break
            case .hold: delivery.state = .held
            case .drop: delivery.state = .dropped
            case .wrongSecret: delivery.spoiling = .wrongSecret
            case .stale: delivery.spoiling = .stale
            case .unsigned: delivery.spoiling = .unsigned
            case .duplicate:
                append(delivery)
                delivery = WebhookDelivery(number: made + 1, id: delivery.id, message: message, url: url)
                delivery.dueAt = now
            }
            append(delivery)
        }
    }

    private func append(_ delivery: WebhookDelivery) {
        made += 1
        deliveries.append(delivery)
        file?.append([.webhook(delivery)])
        if deliveries.count >= Self.capacity + Self.capacity / 8 {
            deliveries.removeFirst(deliveries.count - Self.capacity)
        }
    }

    private func takeRule(_ message: WebhookMessage) -> Rule.Act? {
        guard let index = rules.firstIndex(where: { $0.matches(message) }) else { return nil }
        let act = rules[index].act
        rules[index].times -= 1
        if rules[index].times == 0 { rules.remove(at: index) }
        return act
    }

    // MARK: Sending

    /// The due messages, at most `limit`, and the time of the next one.
    func due(now: Date, limit: Int) -> (due: [WebhookDelivery], nextAt: Date?) {
        let waiting = deliveries.filter { $0.state == .waiting && !inFlight.contains($0.number) }
        let due = waiting.filter { ($0.dueAt ?? now) <= now && !isBlocked($0) }.prefix(limit)
        inFlight.formUnion(due.map(\.number))
        return (Array(due), waiting.compactMap(\.dueAt).filter { $0 > now }.min())
    }

    private func isBlocked(_ delivery: WebhookDelivery) -> Bool {
        guard let number = delivery.follows, let index = index(of: number) else { return false }
        return deliveries[index].state == .waiting && deliveries[index].attempts.isEmpty
    }

    /// Records an attempt, and schedules the next one.
    func attempted(_ number: Int, _ attempt: WebhookDelivery.Attempt, v1Retries: Bool, clock: SandboxClock) {
        inFlight.remove(number)
        guard let index = index(of: number) else { return }
        deliveries[index].attempts.append(attempt)
        let next = deliveries[index].wait(after: attempt, v1Retries: v1Retries, jitter: Double.random(in: 0...1))
        if let seconds = next.seconds {
            deliveries[index].dueAt = clock.now.addingTimeInterval(clock.scaled(seconds))
        } else {
            deliveries[index].state = next.isDone ? .succeeded : .failed
            deliveries[index].dueAt = nil
        }
        file?.append([.webhook(deliveries[index])])
    }

    // MARK: Manual actions

    /// Resends a message that was sent, dropped or held.
    ///
    /// - Returns: nil when it isn't known.
    func resend(_ number: Int, now: Date) -> WebhookDelivery? {
        guard let index = index(of: number) else { return nil }
        deliveries[index].state = .waiting
        deliveries[index].resends += 1
        deliveries[index].dueAt = now
        file?.append([.webhook(deliveries[index])])
        return deliveries[index]
    }

    /// Sends the held messages one after the other, in the given order.
    func release(_ arrangement: Arrangement, now: Date) -> [WebhookDelivery] {
        var held = deliveries.filter { $0.state == .held }
        switch arrangement {
        case .sent: break
        case .reversed: held.reverse()
        case .shuffled: held.shuffle()
        }
        deliveries.removeAll { $0.state == .held }
        file?.append(held.map { .webhookReleased(number: $0.number) })
        for (position, delivery) in held.enumerated() {
            var released = WebhookDelivery(
                number: made + 1, id: delivery.id, message: delivery.message, url: delivery.url)
            released.dueAt = now
            released.follows = position > 0 ? made : nil
            append(released)
        }
        return held
    }

    // MARK: Look-ups

    func list(after number: Int) -> [WebhookDelivery] { deliveries.filter { $0.number > number } }

    /// The webhooks of a payment, oldest first.
    func history(of impUID: String) -> [WebhookDelivery] {
        deliveries.filter { $0.message.impUID == impUID && $0.state != .held }
    }

    private func index(of number: Int) -> Int? { deliveries.firstIndex { $0.number == number } }
}

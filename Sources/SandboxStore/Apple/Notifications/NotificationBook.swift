import FoundationEssentials
import SandboxSupport

/// The notifications, and the plan for the next ones.
actor NotificationBook {
    /// The action for a matching notification.
    struct Rule: Sendable {
        enum Act: String, Sendable, CaseIterable {
            case hold
            /// No attempt reaches the shop, as if its server were down throughout.
            case drop
            case duplicate
            /// It is signed with `defect`.
            case sign
        }

        let act: Act
        let type: String?
        let environment: AppleEnvironment?
        let defect: SigningDefect
        var times: Int
    }

    /// The order in which held notifications are sent.
    enum Arrangement: String, Sendable, CaseIterable {
        case sent
        case reversed
        case shuffled
    }

    private(set) var rules: [Rule] = []
    /// Where notifications are sent; none are without a URL.
    private(set) var urls: [AppleEnvironment: String]
    private var notifications: [AppleNotification] = []
    private var inFlight: Set<Int> = []
    private var made = 0

    private static let capacity = 10_000

    init(urls: [AppleEnvironment: String]) { self.urls = urls }

    func setURL(_ url: String?, of environment: AppleEnvironment) { urls[environment] = url }

    func setRules(_ rules: [Rule]) { self.rules = rules.filter { $0.times > 0 } }

    /// The rule for a notification; counts one use.
    func takeRule(_ type: String, _ environment: AppleEnvironment) -> Rule? {
        let index = rules.firstIndex {
            ($0.type == nil || $0.type == type) && ($0.environment == nil || $0.environment == environment)
        }
        guard let index else { return nil }
        let rule = rules[index]
        rules[index].times -= 1
        if rules[index].times == 0 { rules.remove(at: index) }
        return rule
    }

    /// Adds a notification, by a rule; `make` gets its number.
    func add(_ act: Rule.Act?, now: Date, _ make: (_ number: Int) -> AppleNotification) -> AppleNotification {
        var notification = make(made + 1)
        switch act {
        case nil, .sign, .duplicate: notification.dueAt = now
        case .hold: notification.state = .held
        case .drop:
            notification.state = .failed
            notification.attempts = [.init(at: now, result: "NO_RESPONSE", status: nil)]
        }
        append(notification)
        if act == .duplicate {
            var copy = make(made + 1)
            copy.isCopy = true
            copy.dueAt = now
            append(copy)
        }
        return notification
    }

    private func append(_ notification: AppleNotification) {
        made = notification.number
        notifications.append(notification)
        if notifications.count >= Self.capacity + Self.capacity / 8 {
            notifications.removeFirst(notifications.count - Self.capacity)
        }
    }

    // MARK: Sending

    /// The due notifications, at most `limit`, and the time of the next one.
    func due(now: Date, limit: Int) -> (due: [AppleNotification], nextAt: Date?) {
        let waiting = notifications.filter { $0.state == .waiting && !inFlight.contains($0.number) }
        let due = waiting.filter { ($0.dueAt ?? now) <= now }.prefix(limit)
        inFlight.formUnion(due.map(\.number))
        return (Array(due), waiting.compactMap(\.dueAt).filter { $0 > now }.min())
    }

    /// Records an attempt, and schedules the next one.
    func attempted(_ number: Int, _ attempt: AppleNotification.Attempt, clock: SandboxClock) {
        inFlight.remove(number)
        guard let index = index(of: number) else { return }
        notifications[index].attempts.append(attempt)
        if let pause = notifications[index].pause {
            notifications[index].dueAt = clock.now.addingTimeInterval(clock.scaled(pause))
        } else {
            notifications[index].state = attempt.result == "SUCCESS" ? .succeeded : .failed
            notifications[index].dueAt = nil
        }
    }

    // MARK: Manual actions

    /// Sends a notification again, or a held one now.
    ///
    /// - Returns: nil when it isn't known.
    func resend(_ number: Int, now: Date) -> AppleNotification? {
        guard let index = index(of: number) else { return nil }
        notifications[index].state = .waiting
        notifications[index].resends = notifications[index].attempts.count
        notifications[index].dueAt = now
        return notifications[index]
    }

    /// Lets the held notifications be sent, a millisecond apart in the given order.
    func release(_ arrangement: Arrangement, now: Date) -> Int {
        var held = notifications.indices.filter { notifications[$0].state == .held }
        switch arrangement {
        case .sent: break
        case .reversed: held.reverse()
        case .shuffled: held.shuffle()
        }
        for (position, index) in held.enumerated() {
            notifications[index].state = .waiting
            notifications[index].dueAt = now.addingTimeInterval(Double(position) / 1000)
        }
        return held.count
    }

    // MARK: Look-ups

    func list(after number: Int) -> [AppleNotification] { notifications.filter { $0.number > number } }

    /// What the App Store tried to send, the oldest first.
    func sent(in environment: AppleEnvironment) -> [AppleNotification] {
        all(in: environment).filter { !$0.isCopy && !$0.attempts.isEmpty }
    }

    func all(in environment: AppleEnvironment) -> [AppleNotification] {
        notifications.filter { $0.environment == environment }
    }

    private func index(of number: Int) -> Int? { notifications.firstIndex { $0.number == number } }
}

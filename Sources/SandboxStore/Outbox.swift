import FoundationEssentials
import SandboxSupport

/// What is sent to a shop's server, again and again until it is received.
protocol OutgoingMessage: Sendable {
    /// The outbox gives it.
    var number: Int { get set }
    var delivery: Delivery { get set }

    /// How many seconds after an attempt that failed the next one is, before the time scale; nil for no further attempt.
    func pause(at now: Date) -> Double?
}

/// What became of a message.
struct Delivery: Sendable {
    enum State: String, Sendable {
        /// It will be sent.
        case waiting
        case held
        case succeeded
        case failed
    }

    struct Attempt: Sendable {
        let at: Date
        let result: String
        let status: Int?

        static let success = "SUCCESS"
    }

    var state = State.waiting
    var dueAt: Date?
    var attempts: [Attempt] = []
    /// How many attempts were made before it was last sent by hand.
    var resends = 0

    /// The attempts since it was last sent by hand.
    var tried: Int { attempts.count - resends }

    /// The members of the control API.
    var wire: [String: JSONValue] {
        [
            "state": .string(state.rawValue), "due_at": dueAt.map(RFC3339Time.nanoseconds) ?? .null,
            "attempts": .array(
                attempts.map {
                    .object([
                        "at": RFC3339Time.nanoseconds($0.at), "result": .string($0.result),
                        "status": $0.status.map(JSONValue.int) ?? .null,
                    ])
                }),
        ]
    }
}

/// A rule for messages, which is used up.
protocol OutgoingRule: Sendable {
    var times: Int { get set }
}

/// The messages to a shop's server, and the plan for the next ones.
actor Outbox<Message: OutgoingMessage, Rule: OutgoingRule> {
    private var rules: [Rule] = []
    private var messages: [Message] = []
    private var inFlight: Set<Int> = []
    private var made = 0

    private let capacity = 10_000

    func setRules(_ rules: [Rule]) { self.rules = rules.filter { $0.times > 0 } }

    /// The first rule that `applies`; counts one use.
    func takeRule(_ applies: (Rule) -> Bool) -> Rule? {
        guard let index = rules.firstIndex(where: applies) else { return nil }
        let rule = rules[index]
        rules[index].times -= 1
        if rules[index].times == 0 { rules.remove(at: index) }
        return rule
    }

    /// Adds a message, and returns it with its number.
    @discardableResult
    func add(_ message: Message) -> Message {
        made += 1
        var message = message
        message.number = made
        messages.append(message)
        if messages.count >= capacity + capacity / 8 { messages.removeFirst(messages.count - capacity) }
        return message
    }

    // MARK: Sending

    /// The due messages, at most `limit`, and the time of the next one.
    func due(now: Date, limit: Int) -> (due: [Message], nextAt: Date?) {
        let waiting = messages.filter { $0.delivery.state == .waiting && !inFlight.contains($0.number) }
        let due = waiting.filter { ($0.delivery.dueAt ?? now) <= now }.prefix(limit)
        inFlight.formUnion(due.map(\.number))
        return (Array(due), waiting.compactMap(\.delivery.dueAt).filter { $0 > now }.min())
    }

    /// Records an attempt, and schedules the next one.
    func attempted(_ number: Int, _ attempt: Delivery.Attempt, clock: SandboxClock) {
        inFlight.remove(number)
        guard let index = index(of: number) else { return }
        messages[index].delivery.attempts.append(attempt)
        let isReceived = attempt.result == Delivery.Attempt.success
        if !isReceived, let pause = messages[index].pause(at: clock.now) {
            messages[index].delivery.dueAt = clock.now.addingTimeInterval(clock.scaled(pause))
        } else {
            messages[index].delivery.state = isReceived ? .succeeded : .failed
            messages[index].delivery.dueAt = nil
        }
    }

    // MARK: Manual actions

    /// Sends a message again, or a held one now.
    ///
    /// - Returns: nil when it isn't known.
    func resend(_ number: Int, now: Date) -> Message? {
        guard let index = index(of: number) else { return nil }
        messages[index].delivery.state = .waiting
        messages[index].delivery.resends = messages[index].delivery.attempts.count
        messages[index].delivery.dueAt = now
        return messages[index]
    }

    /// Lets the held messages be sent, a millisecond apart in the given order.
    func release(_ arrangement: Arrangement, now: Date) -> Int {
        var held = messages.indices.filter { messages[$0].delivery.state == .held }
        switch arrangement {
        case .sent: break
        case .reversed: held.reverse()
        case .shuffled: held.shuffle()
        }
        for (position, index) in held.enumerated() {
            messages[index].delivery.state = .waiting
            messages[index].delivery.dueAt = now.addingTimeInterval(Double(position) / 1000)
        }
        return held.count
    }

    func list(after number: Int = 0) -> [Message] { messages.filter { $0.number > number } }

    private func index(of number: Int) -> Int? { messages.firstIndex { $0.number == number } }
}

/// The order in which held messages are sent.
enum Arrangement: String, Sendable, CaseIterable {
    case sent
    case reversed
    case shuffled
}

extension JSONValue {
    /// The elements of a list, or the value itself.
    var oneOrMore: [JSONValue] { if case .array(let elements) = self { elements } else { [self] } }
}

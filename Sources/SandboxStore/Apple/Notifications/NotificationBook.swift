import FoundationEssentials
import SandboxSupport
import Synchronization

/// The notifications, and the plan for the next ones.
typealias NotificationBook = Outbox<AppleNotification, NotificationRule>

/// The action for a matching notification.
struct NotificationRule: OutgoingRule {
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

extension NotificationBook {
    /// Adds a notification, by a rule.
    func add(_ notification: AppleNotification, by act: NotificationRule.Act?, now: Date) -> AppleNotification {
        var notification = notification
        switch act {
        case nil, .sign, .duplicate: notification.delivery.dueAt = now
        case .hold: notification.delivery.state = .held
        case .drop:
            notification.delivery.state = .failed
            notification.delivery.attempts = [.init(at: now, result: "NO_RESPONSE", status: nil)]
        }
        let added = add(notification)
        if act == .duplicate {
            notification.isCopy = true
            add(notification)
        }
        return added
    }

    /// What the App Store tried to send, the oldest first.
    func sent(in environment: AppleEnvironment) -> [AppleNotification] {
        all(in: environment).filter { !$0.isCopy && !$0.delivery.attempts.isEmpty }
    }

    func all(in environment: AppleEnvironment) -> [AppleNotification] {
        list().filter { $0.environment == environment }
    }
}

/// Where notifications are sent; none are without a URL.
final class NotificationURLs: Sendable {
    private let values: Mutex<[AppleEnvironment: String]>

    init(_ urls: [AppleEnvironment: String]) { values = Mutex(urls) }

    subscript(environment: AppleEnvironment) -> String? { values.withLock { $0[environment] } }

    func set(_ url: String, of environment: AppleEnvironment) { values.withLock { $0[environment] = url } }
}

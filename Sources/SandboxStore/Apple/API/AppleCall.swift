import FoundationEssentials
import SandboxSupport

/// A call of the App Store Server API, with its limit.
enum AppleCall: String, Sendable, CaseIterable {
    case transactionInfo = "get_transaction_info"
    case transactionHistory = "get_transaction_history"
    case refundHistory = "get_refund_history"
    case sendConsumption = "send_consumption_information"
    case finishTransaction = "finish_transaction"
    case lookUpOrder = "look_up_order_id"
    case notificationHistory = "get_notification_history"
    case testNotification = "test_notification"
    case setAppAccountToken = "set_app_account_token"

    /// How many requests a second an app may send in production; the sandbox allows a tenth.
    private var perSecond: Int {
        switch self {
        case .transactionInfo, .transactionHistory, .sendConsumption, .finishTransaction, .notificationHistory: 50
        case .setAppAccountToken: 20
        case .refundHistory, .lookUpOrder: 10
        case .testNotification: 1
        }
    }

    /// The limit, which is enforced by the hour (Identifying rate limits).
    func perHour(in environment: AppleEnvironment) -> Int {
        perSecond * 3600 / (environment == .production ? 1 : 10)
    }
}

/// Counts the requests of each hour.
actor AppleLimits {
    private struct Key: Hashable {
        let call: AppleCall
        let environment: AppleEnvironment
    }

    private var counts: [Key: Int] = [:]
    private var hour = 0
    private var lower: [AppleCall: Int] = [:]

    /// Sets the limit of a call in both environments; nil for Apple's.
    func set(_ call: AppleCall, perHour: Int?) { lower[call] = perHour }

    /// Counts a request.
    ///
    /// - Throws: ``AppleRefusal`` when there were too many, with the time at which the hour ends.
    func count(_ call: AppleCall, in environment: AppleEnvironment, now: Date) throws(AppleRefusal) {
        let hour = Int(now.timeIntervalSince1970 / 3600)
        if hour != self.hour { counts = [:] }
        self.hour = hour
        let key = Key(call: call, environment: environment)
        counts[key, default: 0] += 1
        guard counts[key, default: 0] <= lower[call] ?? call.perHour(in: environment) else {
            throw .rateLimitExceeded(until: Date(timeIntervalSince1970: Double(hour + 1) * 3600))
        }
    }
}

import Synchronization
import Timing

/// A call of the App Store Server API, which has limits of its own.
enum AppStoreCall: String, Hashable, Sendable, CaseIterable {
    case payment
    case refunds
    case notifications
    case order
    case finish
    case consumption
    case accountToken = "account_token"
    case test

    /// How many a second the store allows in production, for an app.
    var perSecond: Double {
        switch self {
        case .payment, .notifications, .finish, .consumption: 50
        case .accountToken: 20
        case .refunds, .order: 10
        case .test: 1
        }
    }
}

extension AppStoreCall {
    /// The rate of one call, and the pause that the store asked for.
    ///
    /// The store counts by the hour, so after a 429 further calls would only be refused too.
    final class Rate: Sendable {
        /// Longer than the store can mean.
        private static let longestPause = Duration.seconds(3600)

        private let slots: CallSlots
        private let pausedUntil = Mutex<ContinuousClock.Instant?>(nil)
        private let time: Time

        init(
            _ call: AppStoreCall, in environment: AppStoreEnvironment, _ limits: GatewayLimits, _ timing: GatewayTiming
        ) {
            let rate = call.perSecond * environment.shareOfLimits
            time = timing.time
            slots = CallSlots(
                limits.maxConcurrentCalls,
                bucket: TokenBucket(perSecond: rate, burst: max(1, Int(rate)), now: timing.time.instant), timing: timing
            )
        }

        /// Makes a call when it is its caller's turn.
        ///
        /// - Throws: ``GatewayError/Code/rateLimited`` at once during a pause, or what `call` throws.
        func run<Answer>(_ call: () async throws(GatewayError) -> Answer) async throws(GatewayError) -> Answer {
            try check()
            return try await slots.withSlot { () throws(GatewayError) in
                try check()
                do throws(GatewayError) {
                    return try await call()
                } catch {
                    if error.code == .rateLimited, let pause = error.retryAfter {
                        let end = time.instant + min(pause, Self.longestPause)
                        pausedUntil.withLock { $0 = max($0 ?? end, end) }
                    }
                    throw error
                }
            }
        }

        private func check() throws(GatewayError) {
            guard let end = pausedUntil.withLock(\.self), time.instant < end else { return }
            throw GatewayError(
                .rateLimited, message: "the gateway asked for a pause", retryAfter: time.instant.duration(to: end))
        }
    }
}

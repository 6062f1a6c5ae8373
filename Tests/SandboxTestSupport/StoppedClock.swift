package import FoundationEssentials
package import Logging
import Synchronization
import TestSupport

/// A clock that stands until it is turned.
package final class StoppedClock: Sendable {
    private let moment = Mutex(Date(timeIntervalSince1970: 1_700_000_000))

    package init() {}

    package var now: Date { moment.withLock { $0 } }

    package func advance(by seconds: Double) {
        moment.withLock { $0 += seconds }
    }

    /// Goes on in leaps until cancelled.
    package func tick(by seconds: Double) -> Task<Void, any Error> {
        Task {
            try await eventually("it is cancelled") {
                advance(by: seconds)
                return Task.isCancelled
            }
        }
    }
}

extension Logger {
    /// Says nothing: tests make things go wrong on purpose.
    package static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

import Foundation
import SoakHistory
import Synchronization

/// Collects what all clients do, and their answers.
final class Recorder: Sendable {
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    private struct State {
        var history = History()
        var payments: [String: String] = [:]
        var lastAcknowledged: Moment = 0
        var reads = FailoverReads()
        var isDatabaseFailing = false
    }

    /// Now, on the run's clock.
    var now: Moment {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    var history: History { state.withLock { $0.history } }
    /// The `imp_uid`s of all payments, by `merchant_uid`.
    var payments: [String: String] { state.withLock { $0.payments } }
    /// When the last act was acknowledged.
    var lastAcknowledged: Moment { state.withLock { $0.lastAcknowledged } }
    var failoverReads: FailoverReads { state.withLock { $0.reads } }

    func add(_ attempt: Attempt) {
        state.withLock { state in
            state.history.attempts.append(attempt)
            if attempt.answer != nil { state.lastAcknowledged = max(state.lastAcknowledged, attempt.begun) }
        }
    }

    func add(payment impUID: String, of merchantUID: String) {
        state.withLock { $0.payments[merchantUID] = impUID }
    }

    /// Whether the database, and nothing else, is failing now.
    func databaseFails(_ fails: Bool) { state.withLock { $0.isDatabaseFailing = fails } }

    /// A balance read and how it was answered: a balance, a request to retry, or anything else.
    func add(read: Read?, begun: Moment, saysRetry: Bool, _ words: @autoclosure () -> String) {
        let duration = now - begun
        state.withLock { state in
            if let read { state.history.reads.append(read) }
            guard state.isDatabaseFailing else { return }
            state.reads.slowest = max(state.reads.slowest, duration)
            if duration <= 2_000_000_000, read != nil {
                state.reads.answered += 1
            } else if duration <= 2_000_000_000, saysRetry {
                state.reads.told += 1
            } else {
                state.reads.late += 1
                if state.reads.examples.count < 8 {
                    state.reads.examples.append(
                        "after \(duration / 1_000_000) ms at \(begun / 1_000_000) ms: \(words())")
                }
            }
        }
    }
}

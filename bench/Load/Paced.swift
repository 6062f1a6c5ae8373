import Timing

/// Acts that are due at fixed times, however late those before were answered.
///
/// Clients that wait for an answer before they send again send nothing while a server stands still, so a pause of
/// seconds would count once. Here everything that was due in the pause counts, from when it was due.
struct Paced: Sendable {
    /// The number of acts that are due in each interval, at even distances.
    let lanes: Int
    let interval: Duration

    struct Done<Output: Sendable>: Sendable {
        /// The time from when the act was due until its answer.
        let delay: Duration
        let output: Output
    }

    /// Performs what is due until it is over, at least one act in each lane, and waits for the answers.
    func run<Output: Sendable>(
        until isOver: @escaping @Sendable () -> Bool,
        _ act: @escaping @Sendable (_ lane: Int, _ serial: Int) async throws -> Output
    ) async throws -> [Done<Output>] {
        let start = Time.current.instant
        return try await withThrowingTaskGroup(of: [Done<Output>].self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    var due = start + interval * lane / lanes
                    var done: [Done<Output>] = []
                    repeat {
                        try await Time.current.sleep(until: due)
                        let output = try await act(lane, done.count)
                        done.append(Done(delay: Time.current.instant - due, output: output))
                        due += interval
                        // What became due before the end is still performed.
                    } while due <= Time.current.instant || !isOver()
                    return done
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

extension [Duration] {
    /// The value that so many percent do not exceed; nil: there are no values.
    func percentile(_ percent: Double) -> Duration? {
        let sorted = sorted()
        guard !sorted.isEmpty else { return nil }
        let place = Int((percent / 100 * Double(sorted.count)).rounded(.up))
        return sorted[Swift.min(sorted.count, Swift.max(1, place)) - 1]
    }
}

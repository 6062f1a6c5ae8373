/// How much happened in a run, and how long the service was away.
package struct Tally: Codable, Sendable {
    /// An injected fault, and what clients noticed.
    package struct Fault: Codable, Sendable {
        package let name: String
        package let begun: Moment
        /// When everything was whole again.
        package var ended: Moment
        /// Whether another node became the primary.
        package var isFailover: Bool

        package init(name: String, begun: Moment, ended: Moment, isFailover: Bool) {
            self.name = name
            self.begun = begun
            self.ended = ended
            self.isFailover = isFailover
        }
    }

    package var acknowledged: [Act.Kind: Int] = [:]
    package var unknown = 0
    package var refused = 0
    package var reads = 0
    package var faults: [Fault] = []
    /// The longest time without an acknowledgement in each fault, in nanoseconds; as many as there are faults.
    package var outages: [Int64] = []

    package var acts: Int { acknowledged.values.reduce(0, +) }
    package var failovers: Int { faults.count { $0.isFailover } }

    package init(_ history: History, faults: [Fault]) {
        self.faults = faults
        for attempt in history.attempts {
            switch attempt.outcome {
            case .done: acknowledged[attempt.act.kind, default: 0] += 1
            case .refused: refused += 1
            case .unknown: unknown += 1
            }
        }
        reads = history.reads.count
        let moments = history.attempts.filter { $0.answer != nil }.map(\.ended).sorted()
        outages = faults.map { Self.longestGap(in: moments, from: $0.begun, to: $0.ended) }
    }

    /// The longest time between two moments, the later of which lies in the period.
    ///
    /// The first gap begins where the period begins, and one that has not ended ends with the period.
    private static func longestGap(in moments: [Moment], from begin: Moment, to end: Moment) -> Int64 {
        var last = begin
        var longest: Int64 = 0
        for moment in moments where moment > begin {
            longest = max(longest, min(moment, end) - last)
            guard moment < end else { return longest }
            last = moment
        }
        return max(longest, end - last)
    }

    /// What there was too little of to show anything.
    package func shortfalls(minutes: Double, expectsFaults: Bool = true) -> [Violation] {
        var found: [Violation] = []
        func require(_ what: String, _ count: Int, atLeast least: Double) {
            if Double(count) < least {
                found.append(
                    Violation(.tooLittleHappened, "\(what): \(count), expected at least \(Int(least.rounded(.up)))"))
            }
        }
        require("acknowledged acts", acts, atLeast: 200 * minutes)
        require("balance reads", reads, atLeast: 50 * minutes)
        for kind in Act.Kind.allCases {
            require(
                "acknowledged acts of the kind \(kind.rawValue)", acknowledged[kind] ?? 0, atLeast: max(1, 2 * minutes))
        }
        if expectsFaults {
            require("faults", faults.count, atLeast: max(1, minutes / 2))
            require("acts with an unknown outcome", unknown, atLeast: 1)
        }
        return found
    }
}

/// The usual percentiles of durations.
package struct Percentiles: Sendable {
    private let sorted: [Int64]

    package init(_ durations: [Int64]) { sorted = durations.sorted() }

    /// The smallest duration that a share of them does not exceed; nil without durations.
    package func at(_ share: Double) -> Int64? {
        guard !sorted.isEmpty else { return nil }
        return sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
    }
}

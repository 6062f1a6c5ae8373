/// What happens in a busy month.
package enum MonthAct: String, CaseIterable, Sendable {
    case purchase, grant, spend, hold, capture
    case voiding = "void"
    case reversal
    case refundBegun, refundCompleted, refundReleased
    case clawBack, holdExpiry, lotExpiry, settlement
}

/// How often each act happened.
package struct MonthTally: Sendable, Equatable {
    private var counts: [MonthAct: Int] = [:]

    /// How many acts there were in all.
    package var total: Int { counts.values.reduce(0, +) }

    /// How often this happened.
    package subscript(act: MonthAct) -> Int { counts[act] ?? 0 }

    mutating func count(_ act: MonthAct, _ times: Int = 1) { counts[act, default: 0] += times }

    mutating func add(_ other: MonthTally) { counts.merge(other.counts, uniquingKeysWith: +) }
}

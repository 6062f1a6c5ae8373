/// Outcomes under their keys as a plan sees them.
struct PlannedOutcomes: Sendable {
    private var byKey: [IdempotencyKey: RecordedOutcome]
    /// Outcomes to record.
    private(set) var new: [RecordedOutcome] = []

    init(_ recorded: [RecordedOutcome]) {
        byKey = Dictionary(recorded.map { ($0.key, $0) }) { first, _ in first }
    }

    subscript(key: IdempotencyKey) -> RecordedOutcome? { byKey[key] }

    /// Records an outcome, known to the acts after it.
    mutating func insert(_ outcome: RecordedOutcome) {
        byKey[outcome.key] = outcome
        new.append(outcome)
    }
}

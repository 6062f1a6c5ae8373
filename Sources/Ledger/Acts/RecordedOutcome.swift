import Foundation
import Postgres

/// The outcome of an act that carries an idempotency key, as it is kept.
struct RecordedOutcome: Sendable, Equatable {
    let key: CallerKey
    /// The name of the act.
    let act: String
    /// Tells the act's content.
    let fingerprint: Fingerprint
    /// A ``StoredOutcome`` of the act; read only when the act is asked for again.
    let outcome: PostgresJSON
    /// The journal entry that records it, if it moved something.
    var journalEntryID: Int64?

    /// Whether the act is the very one whose outcome this is.
    func isOf<A: KeyedAct>(_ act: A) -> Bool { self.act == A.name && fingerprint == act.fingerprint }

    /// What became of the act.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when this version can't read what was recorded.
    func outcome<A: KeyedAct>(of act: A) throws(LedgerError) -> Outcome<A.Success> {
        do {
            return try JSONDecoder().decode(StoredOutcome<A>.self, from: Data(outcome.text.utf8)).outcome
        } catch {
            throw .unreadable("idempotency", "under the key \(key.text) of \(key.caller.rawValue)")
        }
    }
}

extension RecordedOutcome {
    /// What is to be kept of an act.
    init<A: KeyedAct>(_ outcome: Outcome<A.Success>, of act: A) {
        self.init(
            key: act.idempotencyKey, act: A.name, fingerprint: act.fingerprint,
            outcome: PostgresJSON(encoding: StoredOutcome<A>(outcome: outcome)))
        if case .done(let success) = outcome { journalEntryID = A.journalEntryID(of: success) }
    }
}

/// An outcome as JSON: `{"spent":{"_0":{…}}}` or `{"refused":{"_0":{…}}}`.
///
/// The form never changes: outcomes are kept for ever, and processes of two versions may run beside each other.
struct StoredOutcome<A: KeyedAct>: Codable {
    let outcome: Outcome<A.Success>

    init(outcome: Outcome<A.Success>) { self.outcome = outcome }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        if container.contains(.refused) {
            outcome = .refused(
                try container.nestedContainer(keyedBy: Member.self, forKey: .refused).decode(
                    Refusal.self, forKey: .value))
        } else {
            outcome = .done(
                try container.nestedContainer(keyedBy: Member.self, forKey: Member(A.successName))
                    .decode(A.Success.self, forKey: .value))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        switch outcome {
        case .done(let success):
            var value = container.nestedContainer(keyedBy: Member.self, forKey: Member(A.successName))
            try value.encode(success, forKey: .value)
        case .refused(let refusal):
            var value = container.nestedContainer(keyedBy: Member.self, forKey: .refused)
            try value.encode(refusal, forKey: .value)
        }
    }
}

/// A member of a stored outcome.
private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }

    static let refused = Member("refused")
    static let value = Member("_0")
}

/// Outcomes under their keys as a plan sees them.
struct PlannedOutcomes: Sendable {
    private var byKey: [CallerKey: RecordedOutcome]
    /// Outcomes to record.
    private(set) var new: [RecordedOutcome] = []

    init(_ recorded: [RecordedOutcome]) {
        byKey = Dictionary(recorded.map { ($0.key, $0) }) { first, _ in first }
    }

    subscript(key: CallerKey) -> RecordedOutcome? { byKey[key] }

    /// Records an outcome, known to the acts after it.
    mutating func insert(_ outcome: RecordedOutcome) {
        byKey[outcome.key] = outcome
        new.append(outcome)
    }
}

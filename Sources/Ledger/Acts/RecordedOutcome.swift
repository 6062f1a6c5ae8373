import Foundation
import Postgres

/// The stored outcome of an act with an idempotency key.
struct RecordedOutcome: Sendable, Equatable {
    let key: CallerKey
    /// The act's name.
    let act: String
    let fingerprint: Fingerprint
    /// A ``StoredOutcome`` of the act.
    ///
    /// It is decoded only when the request is repeated.
    let outcome: PostgresJSON
    /// The journal entry of the act; nil: it moved nothing.
    var journalEntryID: Int64?

    /// Whether this is the outcome of the same act with the same content.
    func isOf<A: KeyedAct>(_ act: A) -> Bool { self.act == A.name && fingerprint == act.fingerprint }

    /// The decoded outcome.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when this version can't read the stored outcome.
    func outcome<A: KeyedAct>(of act: A) throws(LedgerError) -> Outcome<A.Success> { try outcome(as: A.self) }

    func outcome<A: KeyedAct>(as _: A.Type) throws(LedgerError) -> Outcome<A.Success> {
        do {
            return try JSONDecoder().decode(StoredOutcome<A>.self, from: Data(outcome.text.utf8)).outcome
        } catch {
            throw .unreadable("idempotency", "under the key \(key.text) of \(key.caller.rawValue)")
        }
    }
}

extension RecordedOutcome {
    init<A: KeyedAct>(_ outcome: Outcome<A.Success>, of act: A) {
        self.init(
            key: act.idempotencyKey, act: A.name, fingerprint: act.fingerprint,
            outcome: PostgresJSON(encoding: StoredOutcome<A>(outcome: outcome)))
        if case .done(let success) = outcome { journalEntryID = A.journalEntryID(of: success) }
    }
}

/// An outcome as JSON: `{"spent":{"_0":{…}}}` or `{"refused":{"_0":{…}}}`.
///
/// The format never changes: outcomes are kept for ever, and processes of two versions may run at the same time.
struct StoredOutcome<A: KeyedAct>: Codable {
    let outcome: Outcome<A.Success>

    init(outcome: Outcome<A.Success>) { self.outcome = outcome }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OutcomeKey.self)
        if container.contains(.refused) {
            outcome = .refused(
                try container.nestedContainer(keyedBy: OutcomeKey.self, forKey: .refused).decode(
                    Refusal.self, forKey: .value))
        } else {
            outcome = .done(
                try container.nestedContainer(keyedBy: OutcomeKey.self, forKey: OutcomeKey(A.successName))
                    .decode(A.Success.self, forKey: .value))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OutcomeKey.self)
        switch outcome {
        case .done(let success):
            var value = container.nestedContainer(keyedBy: OutcomeKey.self, forKey: OutcomeKey(A.successName))
            try value.encode(success, forKey: .value)
        case .refused(let refusal):
            var value = container.nestedContainer(keyedBy: OutcomeKey.self, forKey: .refused)
            try value.encode(refusal, forKey: .value)
        }
    }
}

/// A member of a stored outcome.
private struct OutcomeKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }

    static let refused = OutcomeKey("refused")
    static let value = OutcomeKey("_0")
}

/// A plan's outcomes by idempotency key.
struct PlannedOutcomes: Sendable {
    private var byKey: [CallerKey: RecordedOutcome]
    /// Outcomes to insert.
    private(set) var new: [RecordedOutcome] = []

    init(_ recorded: [RecordedOutcome]) {
        byKey = Dictionary(recorded.map { ($0.key, $0) }) { first, _ in first }
    }

    subscript(key: CallerKey) -> RecordedOutcome? { byKey[key] }

    /// Records an outcome.
    ///
    /// Later acts of the batch see it.
    mutating func insert(_ outcome: RecordedOutcome) {
        byKey[outcome.key] = outcome
        new.append(outcome)
    }
}

extension PlannedOutcomes {
    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        touches.keys.isEmpty ? [] : [RecordedOutcome.under(touches.keys).into(\.recorded)]
    }

    func facts(at recordedAt: Date) -> [PostgresQuery<Int>] {
        PostgresQuery.facts(new) { RecordedOutcome.insert($0, recordedAt) }
    }
}

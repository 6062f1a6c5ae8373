package import Ledger
import WireFormats

/// Records who does what at the console or at a terminal: first that it is begun, and then how it ended.
package struct AuditTrail: Sendable {
    let records: AuditRecords

    package init(records: AuditRecords) { self.records = records }

    /// Records what needs no reason and can't fail, such as a sign-in.
    package func note(_ act: AuditAct, by person: Person) async throws {
        let id = try await begin(
            AuditDraft(
                key: RandomToken.make(), person: person, act: act.rawValue, target: "person:\(person.subject)"))
        try await records.end(id, .done)
    }

    /// - Throws: `idempotency_key_reused` when the key is another act's.
    private func begin(_ draft: AuditDraft) async throws -> Int64 {
        guard let id = try await records.begin(draft) else { throw Problem(.idempotencyKeyReused) }
        return id
    }

    /// Records that an act waits for a second person.
    func propose(_ draft: AuditDraft) async throws {
        try await records.end(try await begin(draft), .proposed)
    }

    /// Records an act, does it, and records its outcome.
    ///
    /// - Parameters:
    ///   - made: what was made, for the record.
    ///   - act: does it; what it throws is recorded and thrown on.
    func record<Value>(
        _ draft: AuditDraft, made: (Value) -> [String: JSON], _ act: () async throws -> Value
    ) async throws -> Value {
        let id = try await begin(draft)
        let value: Value
        do {
            value = try await act()
        } catch {
            let problem = Problem(any: error)
            // What may have been done is not called refused; the record of the database's failure may fail too.
            let isRefusal = error is Problem || error is RefusedAct || error is InputFault
            let isDecided = isRefusal && problem.status.kind == .clientError
            let detail = JSON.object(["code": .string(problem.code.rawValue)])
            try? await records.end(id, isDecided ? .refused : .unknown, detail: detail.written)
            throw error
        }
        try await records.end(id, .done, detail: JSON.object(made(value)).written)
        return value
    }
}

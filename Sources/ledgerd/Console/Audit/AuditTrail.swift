import Ledger
import WireFormats

/// What can be done in the console; its names are stored and never change.
enum AuditAct: String, CaseIterable, Sendable {
    case signIn = "sign-in"
    case signOut = "sign-out"
    case signOutEverywhere = "sign-out-everywhere"
    case lookUp = "look-up"
    case note
    case refund
    case grant
    case writeOff = "write-off"
    case voidHold = "void-hold"
    case reverse
    case approve
    case decline
    case assignFinding = "assign-finding"
    case noteFinding = "note-finding"
    case resolveFinding = "resolve-finding"
    case claimFinding = "claim-finding"
    case reconcile
    case settle
    case payTransfer = "pay-transfer"
    case reverseTransfer = "reverse-transfer"
    case repayTransfer = "repay-transfer"
    case proposePayout = "propose-payout"
    case approvePayout = "approve-payout"
    case withdrawPayout = "withdraw-payout"
    case payPayout = "pay-payout"
    case repayClaim = "repay-claim"
    case decideDispute = "decide-dispute"
    case setPolicy = "set-policy"
    case bookAdjustment = "book-adjustment"
    case addProduct = "add-product"
    case changeProduct = "change-product"
    case retireProduct = "retire-product"
    case withdrawProduct = "withdraw-product"
    case addEndpoint = "add-endpoint"
    case changeEndpoint = "change-endpoint"
    case enableEndpoint = "enable-endpoint"
    case disableEndpoint = "disable-endpoint"
    case rotateEndpointSecret = "rotate-endpoint-secret"
    case testEndpoint = "test-endpoint"
    case replayEvents = "replay-events"
    case deleteEndpoint = "delete-endpoint"
}

/// Records who does what in the console: first that it is begun, and then how it ended.
struct AuditTrail: Sendable {
    let records: AuditRecords

    /// Records what needs no reason and can't fail, such as a sign-in.
    func note(_ act: AuditAct, by person: Person) async throws {
        let id = try await begin(
            AuditDraft(
                key: ConsoleToken.make(), person: person, act: act.rawValue, target: "person:\(person.subject)"))
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
    /// - Parameter act: returns what was made; what it throws is recorded and thrown on.
    func record(_ draft: AuditDraft, _ act: () async throws -> [String: JSON]) async throws {
        let id = try await begin(draft)
        let made: [String: JSON]
        do {
            made = try await act()
        } catch {
            let problem = Problem(error)
            // What may have been done is not called refused; the record of the database's failure may fail too.
            let isDecided = error is Problem && problem.status.kind == .clientError
            let detail = JSON.object(["code": .string(problem.code.rawValue)])
            try? await records.end(id, isDecided ? .refused : .unknown, detail: detail.written)
            throw error
        }
        try await records.end(id, .done, detail: JSON.object(made).written)
    }
}

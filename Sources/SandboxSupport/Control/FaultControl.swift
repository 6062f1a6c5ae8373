import FoundationEssentials
package import Hummingbird

/// Sets faults of the next requests, and lists the requests that the sandbox received.
package struct FaultControl: Sendable {
    private let faults: FaultPlan
    private let journal: RequestJournal

    package init(faults: FaultPlan, journal: RequestJournal) {
        self.faults = faults
        self.journal = journal
    }

    package func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.put("sandbox/faults", use: setFaults)
        router.get("sandbox/faults", use: listFaults)
        router.get("sandbox/journal", use: listJournal)
    }

    private func setFaults(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        switch try await ControlMembers.body(of: request) {
        case .array(let plan): await faults.replace(by: try plan.map { body in try Fault(body) })
        case let body: await faults.set(try Fault(body))
        }
        return try await listFaults(request, context)
    }

    private func listFaults(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        ControlAnswer.make(.ok, .object(["faults": .array(await faults.list.map(\.wire))]))
    }

    private func listJournal(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let query = request.query
        let after = query["after"] ?? "0"
        guard let after = Int(after) else { throw ControlError(.badRequest, "after", "must be an integer") }
        return ControlAnswer.make(.ok, await journal.list(after: after, prefix: query["path"] ?? ""))
    }
}

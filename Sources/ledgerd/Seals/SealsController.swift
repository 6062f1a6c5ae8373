import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Where finance fetches the seals of the books, to keep them elsewhere.
struct SealsController: Sendable {
    let ledger: Ledger
    /// In which days begin.
    let timeZone: TimeZone

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("seals", use: list)
        group.get("seals/{id}", use: seal)
    }

    /// `GET /v1/seals`: the last first; `?from=&to=` by when they were made.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: SealCursor.self, filters: "from", "to")
        let found = try await ledger.seals.list(
            in: try page.query.period(in: timeZone), after: page.after, limit: page.limit)
        return try page.answer("seals", found.elements.map(SealBody.init), next: found.next)
    }

    /// `GET /v1/seals/{id}`: the file as `ledgerd doctor --seal` reads it.
    private func seal(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let kept = try await ledger.seals.find(try context.pathID()) else { throw Problem(.notFound) }
        return Response(
            headers: [.contentDisposition: "attachment; filename=\"seal-\(kept.id).json\""],
            encodedJSON: ByteBuffer(bytes: try kept.seal.file))
    }
}

extension SealBody {
    /// What clients read of a seal.
    init(_ kept: Seals.Kept) {
        let statement = kept.seal.content
        self.init(
            id: kept.id, sealedAt: statement.sealedAt, entries: statement.entries, head: statement.head,
            keyID: kept.seal.publicKey.id)
    }
}

import Hummingbird
import Ledger
import LedgerWire

/// Where finance fetches the seals of the books, to keep them elsewhere.
struct SealsController: Sendable {
    let ledger: Ledger

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("seals", use: list)
        group.get("seals/{id}", use: seal)
    }

    /// `GET /v1/seals`: the last first.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try Page(request, position: SealCursor.self)
        let found = try await ledger.seals.all(after: page.after, limit: page.limit)
        return try request.list("seals", found.elements.map(SealBody.init), next: found.next)
    }

    /// `GET /v1/seals/{id}`: the file as `ledgerd doctor --seal` reads it.
    private func seal(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let kept = try await ledger.seals.find(try context.pathID()) else { throw Problem(.notFound) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json; charset=utf-8",
                .contentDisposition: "attachment; filename=\"seal-\(kept.id).json\"",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: try kept.seal.file)))
    }
}

import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// The seals of the books, for finance, which should store them outside the database.
struct SealsController: Sendable {
    let ledger: Ledger
    /// The time zone of days.
    let timeZone: TimeZone

    /// `GET /v1/seals`: newest first; `?from=&to=` filters by creation.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self, filters: "from", "to")
        let found = try await ledger.seals.list(
            in: try page.query.period(in: timeZone), after: page.after, limit: page.limit)
        return try page.answer("seals", found.elements.map(SealBody.init), next: found.next)
    }

    /// `GET /v1/seals/{id}`: the file for `ledgerd doctor --seal`.
    func seal(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let kept = try await ledger.seals.find(try context.pathID()) else { throw Problem(.notFound) }
        return Response(
            headers: [.contentDisposition: "attachment; filename=\"seal-\(kept.id).json\""],
            encodedJSON: ByteBuffer(bytes: try kept.seal.file))
    }
}

extension SealBody {
    init(_ kept: Seals.Kept) {
        let statement = kept.seal.content
        self.init(
            id: kept.id, sealedAt: statement.sealedAt, entries: statement.entries, head: statement.head,
            keyID: kept.seal.publicKey.id)
    }
}

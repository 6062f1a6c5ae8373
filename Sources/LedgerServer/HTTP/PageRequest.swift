import Crypto
import Foundation
import Hummingbird
import Ledger
import LedgerWire
import WireFormats

/// The requested page of a list, `?limit=20&cursor=…`, and the list's filters.
struct PageRequest<Position: Decodable & Sendable>: Sendable {
    /// The maximum number of items, 1 to 100.
    let limit: Int
    /// The last item of the previous page; nil for the first page.
    let after: Position?
    let query: Query
    /// Identifies the list with these filters.
    private let list: String
    private let request: Request

    /// - Parameter filters: the names of the list's parameters, without `limit` and `cursor`.
    /// - Throws: `invalid_request` with the name of an unknown or invalid parameter.
    init(
        _ request: Request, position: Position.Type = Position.self, filters: String...
    ) throws(Problem) {
        self.request = request
        query = try Query(request, filters + ["limit", "cursor"])
        limit = Int(try query.whole("limit", 1...100) ?? 20)
        list = Self.name(of: request.uri.path, query)
        after =
            switch query["cursor"] {
            case .some(let text): try Cursor.decode(Position.self, from: text, of: list)
            case .none: nil
            }
    }

    private static func name(of path: String, _ query: Query) -> String {
        let filters = query.pairs.filter { !["limit", "cursor"].contains($0.name) }
        let text = ([path] + filters.flatMap { [$0.name, $0.value] }).joined(separator: "\0")
        return Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8)).prefix(9)))
    }

    /// The response with a page; the body and the `Link` header have the cursor of the next page.
    func answer<Item: Encodable>(_ name: String, _ items: [Item], next: (some Encodable)?) throws -> Response {
        let cursor = try cursor(next)
        return try Response(headers: link(cursor), json: ListBody(name: name, items: items, nextCursor: cursor))
    }

    /// The same, for items that write themselves.
    func answer<Item: JSONWritten>(
        _ name: String, _ items: [Item], next: (some Encodable)?
    ) throws -> Response {
        answer(name, items, at: try cursor(next))
    }

    /// The same, for items and positions that write themselves.
    func answer<Item: JSONWritten>(
        _ name: String, _ items: [Item], next: (some JSONWritten)?
    ) -> Response {
        answer(name, items, at: next.map { Cursor.encode($0, of: list) })
    }

    private func answer(_ name: String, _ items: [some JSONWritten], at cursor: String?) -> Response {
        let body = ListBody(name: name, items: items, nextCursor: cursor)
        return Response(headers: link(cursor), encodedJSON: body.written(reserving: 128 + items.count * 512))
    }

    /// The cursor of the next page, if there is one.
    func cursor(_ next: (some Encodable)?) throws -> String? { try next.map { try Cursor.encode($0, of: list) } }

    /// The header with the URL of the next page: the request's path and query with another cursor.
    func link(_ cursor: String?) -> HTTPFields {
        guard let cursor else { return [:] }
        let others = (request.uri.query ?? "").split(separator: "&").filter {
            FormText.decodePairs($0.utf8)?.first?.name != "cursor"
        }
        let query = (others.map(String.init) + ["cursor=\(cursor)"]).joined(separator: "&")
        return [.link: "<\(request.uri.path)?\(query)>; rel=\"next\""]
    }
}

extension Query {
    /// The period from `from` to before `to`, each an RFC 3339 time or a day in the time zone.
    func period(in zone: TimeZone) throws(Problem) -> Period {
        let (from, to) = (try moment("from", in: zone), try moment("to", in: zone))
        if let from, let to, from >= to {
            throw .invalid(member: "to", "to must be later than from; the period ends before it")
        }
        return Period(from: from, to: to)
    }
}

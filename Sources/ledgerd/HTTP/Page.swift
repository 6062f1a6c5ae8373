import FoundationEssentials
import Hummingbird
import LedgerWire

/// The part of a list that a request asks for: `?limit=20&cursor=…`.
struct Page<Position: Decodable & Sendable>: Sendable {
    /// How many items at most, 1 to 100.
    let limit: Int
    /// The last item of the page before; nil for the first page.
    let after: Position?

    /// - Throws: `invalid_request` naming `limit` or `cursor`.
    init(_ request: Request, position: Position.Type = Position.self) throws(Problem) {
        limit = try Self.limit(request.queryItem("limit"))
        after =
            switch request.queryItem("cursor") {
            case .some(let text): try Cursor.decode(Position.self, from: text)
            case .none: nil
            }
    }

    private static func limit(_ text: String?) throws(Problem) -> Int {
        guard let text else { return 20 }
        guard let limit = Int(text), (1...100).contains(limit) else {
            throw .invalid(member: "limit", "limit must be an integer from 1 to 100")
        }
        return limit
    }
}

extension Request {
    /// The first query item of that name, decoded.
    func queryItem(_ name: String) -> String? {
        uri.queryParameters.first { $0.key == name }.map { String($0.value) }
    }

    /// The `Link` header to a list's next page: this request's own path and query, with the cursor replaced.
    func nextPageLink(cursor: String) -> String {
        let others = (uri.query ?? "").split(separator: "&").filter { $0 != "cursor" && !$0.hasPrefix("cursor=") }
        let query = (others.map(String.init) + ["cursor=\(cursor)"]).joined(separator: "&")
        return "<\(uri.path)?\(query)>; rel=\"next\""
    }

    /// Answers a page of the list of this name, and says in body and `Link` header where the next one is.
    func list<Item: Encodable>(_ name: String, _ items: [Item], next: (some Encodable)?) throws -> Response {
        let cursor = try next.map { try Cursor.encode($0) }
        let links: HTTPFields = cursor.map { [.link: nextPageLink(cursor: $0)] } ?? [:]
        return try Response(headers: links, json: ListBody(name: name, items: items, nextCursor: cursor))
    }
}

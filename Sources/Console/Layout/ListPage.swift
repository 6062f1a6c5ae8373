import Hummingbird
import Ledger
import LedgerServer

extension Visit {
    /// Where a list goes on, from the page's address.
    func cursor<Position: Decodable & Sendable>(
        of list: String, as _: Position.Type = Position.self
    ) throws(Problem) -> Position? {
        guard let text = query("cursor") else { return nil }
        return try Cursor.decode(Position.self, from: text, of: list)
    }

    /// The parameters of the page that are given, for links to its next part.
    func given(_ names: String...) -> [(String, String)] { given(names) }

    /// The parameters with these names that are given.
    func given(_ names: [String]) -> [(String, String)] { names.compactMap { name in query(name).map { (name, $0) } } }

    /// The address of the next part of a list; nil: this is the last one.
    func next(
        _ path: String, _ given: [(String, String)] = [], of list: String, _ next: (some Encodable)?
    ) throws -> String? {
        guard let next else { return nil }
        return path + "?" + ConsolePath.query(given + [("cursor", try Cursor.encode(next, of: list))])
    }
}

extension Layout {
    /// The rows of a table as a section of a template; none: there are no rows, and the template says so in its place.
    static func section(_ rows: [[String: Any]]) -> [[String: Any]] { rows.isEmpty ? [] : [["rows": rows]] }
}

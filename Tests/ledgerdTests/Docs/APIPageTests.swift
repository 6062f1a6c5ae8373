import Foundation
import HTTPTypes
import PGVerifier
import Testing

@testable import Ledger
@testable import LedgerServer

/// What docs/api.md repeats of declarations: operations, filters, values and limits.
@Suite(.timeLimit(.minutes(20))) struct APIPageTests {
    private static func page() throws -> DocPage { try DocPage("docs/api.md") }

    // MARK: - Operations

    @Test func `the table of requests has each operation, with the scope that it needs`() throws {
        let rows = try #require(try Self.page().table("request | scope | response"))
        var rest = Set(LedgerServer.Operation.all.map(Self.name))
        for row in rows {
            for operation in try Self.operations(in: row[0], outOf: &rest) {
                #expect(Self.scope(operation.callers) == row[1], "\(Self.name(operation))")
            }
        }
        #expect(rest.isEmpty, "not in the table")
    }

    /// The operations of a cell such as "`GET /v1/orders`, `/{id}`, `POST`".
    ///
    /// What a name leaves out is that of the one before: its method, its path, or the beginning of its path. A method alone
    /// that the path before does not have belongs to the path that follows.
    private static func operations(
        in cell: String, outOf rest: inout Set<String>
    ) throws -> [LedgerServer.Operation] {
        var found: [LedgerServer.Operation] = []
        var (method, path) = ("", "")
        var waiting: [String] = []
        for name in DocPage.code(in: cell) {
            let match = try #require(name.wholeMatch(of: /([A-Z]+)? ?…?([^?]*)(\?.*)?/), "\(name)")
            if let given = match.1 { method = String(given) }
            let end = String(match.2)
            // Another parameter of the same request.
            if end.isEmpty, match.1 == nil { continue }
            let paths = end.isEmpty ? [path] : [end] + beginnings(of: path).map { $0 + end }
            guard let hit = paths.first(where: { rest.contains("\(method) \($0)") }) else {
                try #require(end.isEmpty, "\(name) of \(cell) is no operation")
                waiting.append(method)
                continue
            }
            path = hit
            for each in [method] + waiting {
                let key = "\(each) \(hit)"
                let isLeft = rest.remove(key) != nil
                try #require(isLeft, "\(key) is no operation, or is in the table twice")
                found += LedgerServer.Operation.all.filter { Self.name($0) == key }
            }
            waiting = []
        }
        try #require(waiting.isEmpty, "\(waiting) of \(cell) are no operations")
        return found
    }

    private static func name(_ operation: LedgerServer.Operation) -> String {
        "\(operation.method.rawValue) \(operation.path)"
    }

    /// The path, and what is left of it without its last parts.
    private static func beginnings(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        return (1...max(1, parts.count)).reversed().map { "/" + parts.prefix($0).joined(separator: "/") }
    }

    /// As the table says it: the scope that has a part as the whole.
    private static func scope(_ callers: Callers) -> String {
        switch callers {
        case .anyone: "none"
        case .appUser: "app key, user"
        case .holder(let scope), .both(let scope, and: _): whole(scope)
        case .either(let one, or: let other): "\(whole(one)), \(whole(other))"
        }
    }

    private static func whole(_ scope: Scope) -> String {
        let wholes: [(String, Scope)] = [
            ("user", .user), ("service", .service), ("finance", .finance), ("support", .support), ("events", .events),
            ("endpoints", .endpoints),
        ]
        return wholes.first { $0.1.contains(scope) }?.0 ?? scope.description
    }

    // MARK: - Filters

    @Test func `the table of lists has each filter, with its values`() throws {
        let rows = try #require(try Self.page().table("list | filters"))
        let lists = LedgerServer.Operation.all.filter { $0.traits.contains(.paged) && !Self.filters($0).isEmpty }
        var rest = Set(lists.map(\.path))
        for row in rows {
            // Values and explanations stand in parentheses.
            let names = Set(DocPage.code(in: row[1].replacing(#/\([^)]*\)/#, with: "")))
            for name in DocPage.code(in: row[0]) {
                let these = lists.filter { name.hasPrefix("…") ? $0.path.hasSuffix(name.dropFirst()) : $0.path == name }
                #expect(!these.isEmpty, "\(name) is no list with filters")
                for list in these {
                    #expect(names == Self.filters(list), "\(list.path)")
                    Self.expectValues(of: list, in: row[1])
                    rest.remove(list.path)
                }
            }
        }
        #expect(rest.isEmpty, "not in the table")
    }

    private static func filters(_ operation: LedgerServer.Operation) -> Set<String> {
        Set(operation.queryParameters).subtracting(["limit", "cursor"])
    }

    /// The words that stand behind a filter in parentheses, up to a semicolon, are those that it takes.
    private static func expectValues(of list: LedgerServer.Operation, in cell: String) {
        for parameter in list.parameters {
            guard let words = parameter.value.schema["enum"]?.elements.compactMap(\.text),
                let start = cell.range(of: "`\(parameter.name)` (`")?.upperBound
            else { continue }
            let told = DocPage.code(in: "`" + cell[start...].prefix { $0 != ")" && $0 != ";" })
            #expect(told == words, "\(parameter.name) of \(list.path)")
        }
    }

    // MARK: - Values

    @Test func `tables of values have each value and no other`() throws {
        let page = try Self.page()
        func expect(_ values: [String], in section: String, _ head: String) throws {
            let rows = try #require(try page.section(section).table(head), "\(section)")
            let told = rows.flatMap { DocPage.code(in: $0.first ?? "") }
            #expect(told.sorted() == values.sorted(), "\(section)")
        }
        try expect(WaitReason.allCases.map(\.rawValue), in: "Receipts", "code | meaning")
        try expect(
            StoredReceipt.Status.allCases.map(\.rawValue), in: "A customer's receipts", "`status` | meaning | `reason`")
        try expect(
            CancellationRefusal.Reason.allCases.map(\.rawValue), in: "Refunds", "`reason` of a refusal | meaning")
        try expect(Finding.Kind.all.map(\.rawValue), in: "Objects", "`kind` | meaning")
        try expect(StoreRefusal.allCases.map(\.rawValue), in: "Older coin-shop apps", "code | status | meaning")
        let scopes = DocPage.code(in: try page.section("Authentication").text)
        #expect(Set(Scope.allNames.split(separator: ", ").map(String.init)).isSubset(of: scopes))
    }

    // MARK: - Limits

    @Test func `limits are those that are declared`() throws {
        let text = try Self.page().text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        func number(_ limit: some BinaryInteger) -> String {
            let digits = String(limit)
            return digits.count > 3 ? "\(digits.dropLast(3)),\(digits.suffix(3))" : digits
        }
        let limits = [
            "A request body has at most \(LedgerdRequestContext.maxBodySize >> 10) KiB",
            "a settlement file at most \(SettlementsController.maxBodySize >> 20) MiB",
            "A user can have \(number(Orders.mostPerUser)) open orders",
            "1 to \(TakeBackAndRefund.mostRedemptions) spends",
            "last \(TakeBackAndRefund.mostRedemptions) of them are chosen",
            "changes at most \(number(LotLimits().act)) lots",
            "finds the first \(Search.mostOfKind) users",
            "of which the event has the first \(number(EventEntry.mostLots))",
            "each up to \(number(OpenItems.most))",
            "There can be \(number(Endpoints.most)) endpoints",
            "At most \(Endpoints.mostReplays) replays of an endpoint run at the same time",
        ]
        for limit in limits { #expect(text.contains(limit), "\(limit)") }
    }
}

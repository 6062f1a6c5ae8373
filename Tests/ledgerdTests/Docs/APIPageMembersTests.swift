import Foundation
import Testing

@testable import LedgerServer

/// The members of bodies that docs/api.md names, beside those of the document, which is written from the bodies.
@Suite(.timeLimit(.minutes(20))) struct APIPageMembersTests {
    private let page: DocPage
    private let document: OrderedJSON
    private let schemas: OrderedJSON

    init() throws {
        page = try DocPage("docs/api.md")
        document = try OrderedJSON(APIDocument.json)
        schemas = try #require(document["components"]?["schemas"])
    }

    /// The beginnings of lists that leave out members, which the page explains beside them.
    private static let inPart: Set<[String]> = [
        ["id", "purchase_id", "status", "method"],  // of a refund by bank transfer and of one that was repaid, too
        ["id", "kind", "kinds", "gateway"],  // a finding alone has its acts
        ["journal_entry_id", "coins", "amount", "currency"],  // a spend has no provider, which a capture can have
        ["line", "payment", "gross", "fee"],  // the path names the file, but of the lines of all files
    ]

    @Test func `a list of members has those of a body, in its order`() {
        let bodies = Self.bodies(in: schemas)
        let lists = page.text.matches(of: #/\{((?:\s*"\w+",?)+)\}/#).map { list in
            list.1.matches(of: /\w+/).map { String($0.0) }
        }
        #expect(lists.count > 30)
        for list in lists where list.count > 1 {
            let isPart = Self.inPart.contains(Array(list.prefix(4)))
            let isThere = bodies.contains { body in isPart ? body.filter(list.contains) == list : body == list }
            #expect(isThere, "\(list)")
        }
    }

    @Test(arguments: ["An amount that is no price", "Refunds", "Objects", "Reconciliations", "Errors"])
    func `a table of members has those of one body`(title: String) throws {
        let table = try #require(try page.section(title).table("member | meaning"))
        let names = table.flatMap { DocPage.code(in: $0[0]) }
        #expect(names.count > 3 && Set(names).count == names.count)
        #expect(Self.bodies(in: schemas).contains { Set(names).isSubset(of: $0) }, "\(names)")
    }

    @Test(arguments: [
        ("Spends, grants, holds", "request | body | 2xx"), ("Debts", "request | body | response"),
    ])
    func `a table of requests has the members of their bodies, and which may be left out`(
        title: String, head: String
    ) throws {
        let rows = try #require(try page.section(title).table(head))
        #expect(rows.count > 1)
        for row in rows {
            let told = row[1].matches(of: /`(\w+\??)`/).map { String($0.1) }
            for request in DocPage.code(in: row[0]) {
                let path = String(try #require(request.split(separator: " ").last))
                let operation = try #require(document["paths"]?[path]?["post"], "\(path)")
                #expect(told == (try members(of: operation)), "\(path)")
            }
        }
    }

    /// The members of a request's body, those that may be left out with a question mark.
    private func members(of operation: OrderedJSON) throws -> [String] {
        let content = resolved(try #require(operation["requestBody"]))["content"]
        let schema = resolved(try #require(content?["application/json"]?["schema"]))
        let required = schema["required"]?.elements.compactMap(\.text) ?? []
        return schema["properties"]?.members.map { required.contains($0.name) ? $0.name : "\($0.name)?" } ?? []
    }

    /// What a reference refers to.
    private func resolved(_ json: OrderedJSON) -> OrderedJSON {
        guard let reference = json["$ref"]?.text else { return json }
        let target = reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? [:] }
        return resolved(target)
    }

    /// The names of the members of all objects in a schema, in their order.
    private static func bodies(in schema: OrderedJSON) -> [[String]] {
        let own = schema["properties"].map { [$0.members.map(\.name)] } ?? []
        return own + (schema.members.map(\.value) + schema.elements).flatMap(bodies)
    }
}

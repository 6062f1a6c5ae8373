import Foundation
import Ledger
import Testing

@testable import ledgerd

/// The OpenAPI document against the code it describes; its routes are compared in the end-to-end tests, and its shapes
/// with real answers in Tests/Conformance.
@Suite(.timeLimit(.minutes(20))) struct APIDocumentTests {
    private static let text = String(decoding: APIDocument.json, as: UTF8.self)

    private func member(_ names: String...) throws -> [String: Any] {
        var value = try JSONSerialization.jsonObject(with: Data(Self.text.utf8))
        for name in names { value = try #require((value as? [String: Any])?[name], "\(name)") }
        return try #require(value as? [String: Any])
    }

    @Test func `every reference leads somewhere`() throws {
        let root = try member()
        let references = Set(Self.text.matches(of: /"\$ref": "([^"]+)"/).map { String($0.1) })
        #expect(references.count > 50)
        for reference in references {
            var value: Any? = root
            for part in reference.dropFirst(2).split(separator: "/") {
                value = (value as? [String: Any])?[String(part).replacing("~1", with: "/")]
            }
            #expect(value != nil, "\(reference)")
        }
    }

    @Test func `it names every act of the console's audit`() throws {
        let act = try member("components", "schemas", "AuditAct")
        #expect(act["enum"] as? [String] == ConsoleAct.all.map(\.name))
    }

    @Test(arguments: ["/v1/users/{user}/statement", "/v1/me/statement"])
    func `it names every kind of a statement`(path: String) throws {
        let parameters = try #require(try member("paths", path, "get")["parameters"] as? [[String: Any]])
        let kind = try #require(parameters.first { $0["name"] as? String == "kind" }?["schema"] as? [String: Any])
        #expect(Set(kind["enum"] as? [String] ?? []) == Set(StatementEntry.kinds))
        let entry = try member("components", "schemas", "StatementEntry", "properties", "kind")
        #expect(Set(entry["examples"] as? [String] ?? []) == Set(StatementEntry.kinds))
    }

    @Test func `its page needs nothing from elsewhere and shows everything`() throws {
        let html = ReferencePage(.own).html
        for operation in APIDocument.own.operations {
            let (id, verb) = (operation.id, operation.method)
            #expect(html.contains("<h3 id=\"\(id)\"><a href=\"#\(id)\">"), "\(id)")
            #expect(
                html.contains(
                    "<p class=\"route\"><span class=\"method \(verb)\">\(verb.uppercased())</span>"
                        + "<code>\(operation.path)</code></p>"), "\(id)")
        }
        for schema in APIDocument.own.schemas {
            #expect(html.contains("id=\"schema-\(schema.name)\""), "\(schema.name)")
        }
        for problem in APIDocument.own.problems { #expect(html.contains("id=\"error-\(problem.name)\"")) }
        for part in ["=\"http", "=\"//", "url(", "@import", "<script", "src=", "style=", "{{"] {
            #expect(!html.contains(part), "\(part)")
        }
        let ids = html.matches(of: /id="([^"]+)"/).map { $0.1 }
        let anchors = Set(ids)
        #expect(anchors.count == ids.count)
        for link in html.matches(of: /href="#([^"]+)"/) { #expect(anchors.contains(link.1), "\(link.1)") }
    }

    @Test func `its page shows every example of a body`() throws {
        let page = ReferencePage(.own)
        let html = page.html
        var examples = 0
        for schema in APIDocument.own.schemas {
            for example in schema.examples { #expect(html.contains(page.code(example)), "\(schema.name)") }
            examples += schema.examples.count
        }
        for problem in APIDocument.own.problems {
            #expect(html.contains(page.code(problem.value)), "\(problem.name)")
            examples += 1
        }
        for operation in APIDocument.own.operations {
            let samples = page.samples(of: operation)
            let titles = samples.compactMap { $0["title"] }
            let requests = operation.bodies.flatMap(\.examples)
            #expect(titles.count { $0.hasPrefix("Request") } == max(1, requests.count), "\(operation.id): \(titles)")
            #expect(Set(titles).count == titles.count, "\(operation.id): \(titles)")
            for example in operation.answers.flatMap(\.bodies).flatMap(\.examples) {
                #expect(html.contains(page.code(example.value)), "\(operation.id): \(example.name)")
            }
            let answered = operation.answers.filter { $0.status.hasPrefix("2") }.flatMap(\.bodies)
            let isFile = ["getOpenAPI", "getDocs"].contains(operation.id)
            #expect(isFile || answered.isEmpty || titles.contains { $0.hasPrefix("Response 2") }, "\(operation.id)")
            for sample in samples { #expect(html.contains(sample["code"] ?? "-"), "\(operation.id)") }
            examples += titles.count
        }
        #expect(examples > 220, "\(examples)")
    }

    @Test func `a request that needs them has parameters, a token and a key`() throws {
        func request(_ id: String) throws -> String {
            let operation = try #require(APIDocument.own.operations.first { $0.id == id })
            return try #require(ReferencePage(.own).samples(of: operation).first?["code"])
        }
        #expect(
            try request("spend") == """
                curl &quot;$LEDGERD_URL/v1/users/ann/spends&quot; \\
                    -H &quot;Authorization: Bearer $SERVICE_TOKEN&quot; \\
                    -H &quot;Idempotency-Key: spend-1&quot; \\
                    -H &quot;Content-Type: application/json&quot; \\
                    -d '{&quot;coins&quot;: 30, &quot;reference&quot;: &quot;song:1&quot;}'
                """)
        #expect(try request("listStoreItems").contains("SesacKey: $APP_KEY"))
        #expect(try request("getReady") == "curl &quot;$LEDGERD_URL/health/ready&quot;")
        #expect(try request("importSettlement").contains("--url-query 'tax=부가세'"))
        for operation in APIDocument.own.operations {
            let commands = ReferencePage(.own).samples(of: operation).filter { $0["title"]?.hasPrefix("Req") == true }
            #expect(commands.allSatisfy { $0["code"]?.contains(/[{}]\w+[}]/) == false }, "\(operation.id)")
        }
    }
}

import Foundation
import Ledger
import Testing

@testable import LedgerServer

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
        #expect(act["enum"] as? [String] == AuditAct.allCases.map(\.rawValue))
    }

    @Test(arguments: ["/v1/users/{user}/statement", "/v1/me/statement"])
    func `it names every kind of a statement`(path: String) throws {
        let parameters = try #require(try member("paths", path, "get")["parameters"] as? [[String: Any]])
        let kind = try #require(parameters.first { $0["name"] as? String == "kind" }?["schema"] as? [String: Any])
        #expect(Set(kind["enum"] as? [String] ?? []) == Set(StatementEntry.kinds))
        let entry = try member("components", "schemas", "StatementEntry", "properties", "kind")
        #expect(Set(entry["examples"] as? [String] ?? []) == Set(StatementEntry.kinds))
    }
}

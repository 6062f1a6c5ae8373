import Foundation
import Testing

@testable import ledgerd

/// The OpenAPI document against the code it describes; its routes are compared in the end-to-end tests, and its shapes
/// with real answers in Tests/Conformance.
@Suite(.timeLimit(.minutes(5))) struct APIDocumentTests {
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

    @Test func `its page needs nothing from elsewhere and shows everything`() throws {
        let html = ReferencePage(.own).html
        for (path, methods) in APIDocument.own.paths {
            for method in methods.keys { #expect(html.contains("<b>\(method.uppercased()) \(path)</b>"), "\(path)") }
        }
        for name in APIDocument.own.components.schemas.keys {
            #expect(html.contains("id=\"schema-\(name)\""), "\(name)")
        }
        #expect(!html.contains("://") && !html.contains("<script") && !html.contains("src="))
        #expect(!html.contains("{{"))
        let anchors = Set(html.matches(of: /id="([^"]+)"/).map { $0.1 })
        for link in html.matches(of: /href="#([^"]+)"/) { #expect(anchors.contains(link.1), "\(link.1)") }
    }
}

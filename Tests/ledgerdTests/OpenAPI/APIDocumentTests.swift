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

    @Test func `its error codes are the service's, with status, title and what is retryable`() throws {
        // What the coin-shop apps are told instead is no problem+json.
        let codes = Problem.Code.all.filter { $0 != .appKeyInvalid }
        let examples = try member("components", "examples")
        #expect(Set(examples.keys) == Set(codes.map(\.rawValue)))
        for code in codes {
            let example = try #require((examples[code.rawValue] as? [String: Any])?["value"] as? [String: Any])
            #expect(example["code"] as? String == code.rawValue)
            #expect(example["status"] as? Int == code.status.code, "\(code.rawValue)")
            #expect(example["title"] as? String == code.title, "\(code.rawValue)")
            #expect(example["retryable"] as? Bool == code.isRetryable, "\(code.rawValue)")
        }
        let listed = try member("components", "schemas", "Problem", "properties", "code")["enum"] as? [String]
        #expect(Set(listed ?? []) == Set(codes.map(\.rawValue)))
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

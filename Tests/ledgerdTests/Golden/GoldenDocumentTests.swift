import TestSupport
import Testing
import WireFormats

@testable import LedgerServer

/// The OpenAPI document: what it says, however it is made and laid out.
@Suite(.timeLimit(.minutes(20))) struct GoldenDocumentTests {
    @Test func `the document says what it always said`() throws {
        let lines = DocumentLines(try JSONParser.parse(APIDocument.json))
        try Golden.expect(lines.shape, in: "openapi.txt")
        try Golden.expect(lines.prose, in: "openapi-prose.txt")
        try Golden.expect(lines.examples, in: "openapi-examples.txt")
    }

    @Test func `the order of members, parameters and required names means nothing, and a type does`() throws {
        func lines(_ text: String) throws -> [String] { DocumentLines(try JSONParser.parse(Array(text.utf8))).shape }
        let one = try lines(
            """
            {"paths": {"/v1/x": {"get": {"parameters": [{"name": "a", "in": "query"}, {"$ref": "#/b"}]}}},
             "components": {"schemas": {"X": {"type": "object", "required": ["a", "b"], "description": "an X"}}}}
            """)
        let other = try lines(
            """
            {"components": {"schemas": {"X": {"description": "a Y", "required": ["b", "a"], "type": "object"}}},
             "paths": {"/v1/x": {"get": {"parameters": [{"$ref": "#/b"}, {"in": "query", "name": "a"}]}}}}
            """)
        #expect(one == other && one.contains(#"components: {"schemas":{"X":{"required":["a","b"],"type":"object"}}}"#))
        #expect(one != (try lines(#"{"components": {"schemas": {"X": {"type": "string"}}}}"#)))
    }
}

/// An OpenAPI document as lines, each a path and a small value.
private struct DocumentLines {
    /// Operations, schemas and all else that programs go by.
    private(set) var shape: [String] = []
    /// Titles, summaries and descriptions.
    private(set) var prose: [String] = []
    private(set) var examples: [String] = []

    /// Members whose own members have names that the document chose.
    private static let maps: Set = [
        "properties", "paths", "webhooks", "responses", "headers", "content", "schemas", "parameters",
        "securitySchemes",
    ]
    /// Lists whose order means nothing.
    private static let sets: Set = ["required", "enum", "type", "tags"]

    init(_ document: JSON) { addShape(withoutWords(document, at: [], isMap: false), at: []) }

    /// The value without prose and examples, which it notes.
    private mutating func withoutWords(_ value: JSON, at path: [String], isMap: Bool) -> JSON {
        switch value {
        case .object(let members):
            var kept: [String: JSON] = [:]
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                switch (name, value) {
                case ("description", .string) where !isMap, ("summary", .string) where !isMap,
                    ("title", .string) where !isMap:
                    prose.append(Self.line(path + [name], value))
                case ("examples", .object(let all)) where !isMap:
                    for (key, value) in all.sorted(by: { $0.key < $1.key }) {
                        examples.append(Self.line(path + [name, key], value))
                    }
                case ("example", _) where !isMap, ("examples", _) where !isMap:
                    examples.append(Self.line(path + [name], value))
                default:
                    kept[name] = withoutWords(value, at: path + [name], isMap: !isMap && Self.maps.contains(name))
                }
            }
            return .object(kept)
        case .array(let elements):
            if let named = Self.byName(elements, of: path.last) {
                return .object(
                    named.reduce(into: [:]) { $0[$1.key] = withoutWords($1.value, at: path + [$1.key], isMap: false) })
            }
            if path.last.map(Self.sets.contains) == true {
                return .array(elements.sorted { $0.written < $1.written })
            }
            return .array(
                elements.enumerated().map { withoutWords($1, at: path + ["\($0)"], isMap: false) })
        default: return value
        }
    }

    /// Parameters and tags by their names or references.
    private static func byName(_ elements: [JSON], of list: String?) -> [(key: String, value: JSON)]? {
        guard list == "parameters" || list == "tags" else { return nil }
        let named = elements.compactMap { element in
            (element["name"] ?? element["$ref"])?.text.map { (key: $0, value: element) }
        }
        return named.count == elements.count ? named.sorted { $0.key < $1.key } : nil
    }

    /// A small value is a line; of a larger one each member is.
    private mutating func addShape(_ value: JSON, at path: [String]) {
        let isSet = path.last.map(Self.sets.contains) == true
        switch value {
        case .object(let members) where value.written.utf8.count > 120 || path.isEmpty:
            for (name, value) in members.sorted(by: { $0.key < $1.key }) { addShape(value, at: path + [name]) }
        case .array(let elements) where value.written.utf8.count > 120 && !isSet:
            for (place, element) in elements.enumerated() { addShape(element, at: path + ["\(place)"]) }
        default: shape.append(Self.line(path, value))
        }
    }

    /// Such as `POST /v1/orders responses 201: …` and `schemas Hold properties coins: …`.
    private static func line(_ path: [String], _ value: JSON) -> String {
        var path = path
        if path.count > 2, path[0] == "paths" {
            path = [path[2].uppercased(), path[1]] + path[3...]
        } else if path.count > 2, path[0] == "components" {
            path.removeFirst()
        }
        return path.joined(separator: " ") + ": " + value.written
    }
}

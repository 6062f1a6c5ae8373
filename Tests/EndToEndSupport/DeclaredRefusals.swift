import Foundation
import OutboundHTTP
import TestSupport
import Testing

/// The codes with which operations refuse, as docs/openapi.json has them.
///
/// A declaration lists what its handler refuses with, and only answers can tell whether the list is whole: whatever a test
/// asks for, ``Service`` compares the problem that it gets.
struct DeclaredRefusals {
    private struct Operation {
        /// The parts of its path's pattern, such as `{id}`.
        let pattern: [Substring]
        let codes: Set<String>

        var variables: Int { pattern.count { $0.hasPrefix("{") } }

        func matches(_ parts: [Substring]) -> Bool {
            pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    }

    private let operations: [String: [Operation]]

    private static let own = Result {
        try DeclaredRefusals(Data(contentsOf: Golden.root.appending(path: "docs/openapi.json")))
    }

    /// Fails the test if an operation answered with a code that it does not declare.
    static func check(_ answer: Answer, to method: HTTPRequest.Method, _ path: String) throws {
        // not_found: another listener serves it, or a setting has it off.
        guard answer.isProblem, let code = answer.code, code != "not_found" else { return }
        guard let codes = try own.get().codes(of: method, path) else { return }
        if !codes.contains(code) { Issue.record("\(method.rawValue) \(path) does not declare its refusal \(code)") }
    }

    /// - Returns: nil for paths and methods that are no operation, and for operations without problems.
    private func codes(of method: HTTPRequest.Method, _ path: String) -> Set<String>? {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        let found = operations[method.rawValue]?.filter { $0.matches(parts) } ?? []
        // The pattern with more words is the route: `refunds/approved` is no `refunds/{id}`.
        let codes = found.min { $0.variables < $1.variables }?.codes
        return codes?.isEmpty == false ? codes : nil
    }
}

extension DeclaredRefusals {
    private init(_ json: Data) throws {
        let document = try JSONDecoder().decode(Document.self, from: json)
        operations = document.paths.reduce(into: [:]) { operations, path in
            for (method, described) in path.value {
                let codes = described.responses.values.flatMap { response -> [String] in
                    let name = response.reference?.split(separator: "/").last.map(String.init)
                    let whole = name.flatMap { document.components.responses[$0] } ?? response
                    return whole.content?["application/problem+json"]?.examples?.keys.map(\.self) ?? []
                }
                operations[method.uppercased(), default: []].append(
                    Operation(pattern: path.key.split(separator: "/"), codes: Set(codes)))
            }
        }
    }

    private struct Document: Decodable {
        let paths: [String: [String: Described]]
        let components: Components

        struct Components: Decodable {
            let responses: [String: Response]
        }

        struct Described: Decodable {
            let responses: [String: Response]
        }

        struct Response: Decodable {
            let reference: String?
            let content: [String: Media]?

            enum CodingKeys: String, CodingKey {
                case reference = "$ref"
                case content
            }
        }

        /// The examples of a problem are named by their codes.
        struct Media: Decodable {
            let examples: [String: Present]?
        }

        /// What does not matter here.
        struct Present: Decodable {}
    }
}

import Foundation

/// What a request of each operation can have, from the OpenAPI document.
///
/// ``APIDocument`` reads the whole document, in its order and for people. This reads these few facts at each start, in
/// milliseconds.
struct OperationList: Sendable {
    let operations: [Operation]

    struct Operation: Sendable, Equatable {
        /// Such as `GET`.
        let method: String
        /// The path's pattern, such as `/v1/holds/{id}`.
        let path: String
        /// The names of the query parameters.
        let parameters: [String]
        let hasBody: Bool
        /// Whether unknown parameters and members are ignored (`x-ignores-unknown`), because others chose what is sent.
        let ignoresUnknown: Bool
    }

    /// Reads a document.
    ///
    /// - Throws: `DecodingError`.
    init(json: [UInt8]) throws {
        let document = try JSONDecoder().decode(Document.self, from: Data(json))
        operations = document.paths.flatMap { path, methods in
            methods.map { method, described in
                let parameters = (described.parameters ?? []).compactMap(document.resolved)
                return Operation(
                    method: method.uppercased(), path: path,
                    parameters: parameters.compactMap { $0.place == "query" ? $0.name : nil },
                    hasBody: described.requestBody != nil, ignoresUnknown: described.ignoresUnknown ?? false)
            }
        }
    }

    /// The operations of this binary.
    ///
    /// - Throws: `DecodingError`; a test reads it.
    static func own() throws -> OperationList { try OperationList(json: APIDocument.json) }
}

extension OperationList {
    private struct Document: Decodable {
        let paths: [String: [String: Described]]
        let components: Components

        struct Components: Decodable {
            let parameters: [String: Parameter]
        }

        /// The parameter, or the one that it refers to.
        func resolved(_ parameter: Parameter) -> Parameter? {
            guard let reference = parameter.reference else { return parameter }
            return components.parameters[String(reference.split(separator: "/").last ?? "")]
        }
    }

    private struct Described: Decodable {
        let parameters: [Parameter]?
        let requestBody: Present?
        let ignoresUnknown: Bool?

        enum CodingKeys: String, CodingKey {
            case parameters, requestBody
            case ignoresUnknown = "x-ignores-unknown"
        }
    }

    private struct Parameter: Decodable {
        let name: String?
        let place: String?
        let reference: String?

        enum CodingKeys: String, CodingKey {
            case name
            case place = "in"
            case reference = "$ref"
        }
    }

    /// A part whose content does not matter here.
    private struct Present: Decodable {}
}

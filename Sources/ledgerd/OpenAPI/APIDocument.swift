import CEmbedded
import Foundation

/// The parts of an OpenAPI 3.1 document that the reference page shows.
struct APIDocument: Decodable, Sendable {
    let info: Info
    let tags: [Tag]
    let paths: [String: [String: Operation]]
    let components: Components

    struct Info: Decodable, Sendable {
        let title: String
        let description: String
    }

    struct Tag: Decodable, Sendable {
        let name: String
        let description: String
    }

    struct Components: Decodable, Sendable {
        let schemas: [String: Schema]
        let parameters: [String: Parameter]
        let responses: [String: Answer]
    }

    struct Operation: Decodable, Sendable {
        let tags: [String]
        let summary: String
        let description: String?
        let security: [[String: [String]]]?
        let parameters: [Shared<Parameter>]?
        let requestBody: Body?
        let responses: [String: Shared<Answer>]
    }

    struct Parameter: Decodable, Sendable {
        let name: String
        let place: String
        let required: Bool?
        let description: String
        let schema: Schema

        private enum CodingKeys: String, CodingKey {
            case name, required, description, schema
            case place = "in"
        }
    }

    struct Body: Decodable, Sendable {
        let content: [String: Media]
    }

    struct Answer: Decodable, Sendable {
        let description: String
        let headers: [String: Header]?
        let content: [String: Media]?
    }

    /// The page shows only the header's name.
    struct Header: Decodable, Sendable {}

    struct Media: Decodable, Sendable {
        let schema: Schema
    }

    /// A part of the document, or a reference to a shared part.
    enum Shared<Part: Decodable & Sendable>: Decodable, Sendable {
        case part(Part)
        case named(String)

        init(from decoder: any Decoder) throws {
            self =
                if let name = try Reference(from: decoder).name { .named(name) } else { .part(try Part(from: decoder)) }
        }

        func resolved(in parts: [String: Part]) -> Part? {
            switch self {
            case .part(let part): part
            case .named(let name): parts[name]
            }
        }
    }
}

extension APIDocument {
    /// docs/openapi.json, the response to `GET /openapi.json`.
    static let json: [UInt8] = {
        let file = embedded_openapi()
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }()

    /// The document of this binary; a test decodes it.
    static let own: APIDocument = {
        do {
            return try JSONDecoder().decode(APIDocument.self, from: Data(json))
        } catch {
            preconditionFailure("can't decode the embedded OpenAPI document: \(error)")
        }
    }()

    /// A `$ref`, if there is one.
    fileprivate struct Reference: Decodable {
        let name: String?

        private enum CodingKeys: String, CodingKey {
            case name = "$ref"
        }

        init(from decoder: any Decoder) throws {
            let path = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .name)
            name = path?.split(separator: "/").last.map(String.init)
        }
    }
}

extension APIDocument {
    /// A schema.
    final class Schema: Decodable, Sendable {
        let reference: String?
        let types: [String]
        let format: String?
        let description: String?
        let choices: [String]
        let properties: [String: Schema]
        let required: Set<String>
        let items: Schema?
        let alternatives: [Schema]
        let parts: [Schema]
        let minimum: Int64?
        let maximum: Int64?
        let maxLength: Int?

        private enum CodingKeys: String, CodingKey {
            case format, description, properties, required, items, anyOf, allOf, minimum, maximum, maxLength, type
            case choices = "enum"
        }

        init(from decoder: any Decoder) throws {
            reference = try Reference(from: decoder).name
            let schema = try decoder.container(keyedBy: CodingKeys.self)
            let one = try? schema.decode(String.self, forKey: .type)
            types = try one.map { [$0] } ?? schema.decodeIfPresent([String].self, forKey: .type) ?? []
            format = try schema.decodeIfPresent(String.self, forKey: .format)
            description = try schema.decodeIfPresent(String.self, forKey: .description)
            choices = (try schema.decodeIfPresent([String?].self, forKey: .choices) ?? []).compactMap(\.self)
            properties = try schema.decodeIfPresent([String: Schema].self, forKey: .properties) ?? [:]
            required = try schema.decodeIfPresent(Set<String>.self, forKey: .required) ?? []
            items = try schema.decodeIfPresent(Schema.self, forKey: .items)
            alternatives = try schema.decodeIfPresent([Schema].self, forKey: .anyOf) ?? []
            parts = try schema.decodeIfPresent([Schema].self, forKey: .allOf) ?? []
            minimum = try schema.decodeIfPresent(Int64.self, forKey: .minimum)
            maximum = try schema.decodeIfPresent(Int64.self, forKey: .maximum)
            maxLength = try schema.decodeIfPresent(Int.self, forKey: .maxLength)
        }
    }
}

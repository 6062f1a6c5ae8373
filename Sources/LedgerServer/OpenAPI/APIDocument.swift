import CEmbedded

/// The parts of an OpenAPI 3.1 document that the reference page shows, in their order.
struct APIDocument: Sendable {
    let title: String
    let summary: String
    let description: String
    let tags: [Tag]
    let callers: [Caller]
    let operations: [Operation]
    let eventTypes: [EventType]
    let problems: [Example]
    let schemas: [Schema]

    struct Tag: Sendable {
        let name: String
        let description: String
    }

    /// Who may call an operation, and the header that proves it.
    struct Caller: Sendable {
        let name: String
        let description: String
        /// The header with the secret; nil: a bearer token.
        let header: String?
    }

    struct Operation: Sendable {
        let id: String
        let method: String
        let path: String
        let tags: [String]
        let summary: String
        let description: String?
        /// The names of those who may call it; those of one element are needed together.
        let callers: [[String]]
        let parameters: [Parameter]
        let bodies: [Media]
        let answers: [Answer]
    }

    struct Parameter: Sendable {
        let name: String
        let place: String
        let isRequired: Bool
        /// Whether a request needs it or another one instead, which OpenAPI can't say (`x-one-of`).
        let isOneOf: Bool
        let description: String
        let schema: Schema
        let example: OrderedJSON?
    }

    struct Answer: Sendable {
        let status: String
        let description: String
        let headers: [String]
        let bodies: [Media]
        /// Whether many operations have the same one.
        let isShared: Bool

        /// The codes of the problems that this is; none of a success, or of what has another format.
        var codes: [String] {
            bodies.filter { $0.type == "application/problem+json" }.flatMap(\.examples).map(\.name)
        }
    }

    /// What is sent to endpoints, and read as events.
    struct EventType: Sendable {
        let name: String
        let summary: String
        /// The members that `data` always has.
        let always: Set<String>
        let example: OrderedJSON
    }

    struct Media: Sendable {
        let type: String
        let schema: Schema
        let examples: [Example]
    }

    struct Example: Sendable {
        let name: String
        let summary: String?
        /// Of a problem: what it means and what to do.
        let description: String?
        let value: OrderedJSON
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
            return try APIDocument(json: OrderedJSON(json))
        } catch {
            preconditionFailure("can't decode the embedded OpenAPI document: \(error)")
        }
    }()

    /// The listed schema that another one refers to, or the other one itself.
    func listed(_ schema: Schema) -> Schema { schemas.first { $0.name == schema.reference } ?? schema }

    /// All listed schemas that these need, with what those need.
    func closure(of schemas: [Schema]) -> Set<String> {
        var found: Set<String> = []
        var open = schemas.flatMap(\.references)
        while let name = open.popLast() {
            guard found.insert(name).inserted, let schema = self.schemas.first(where: { $0.name == name }) else {
                continue
            }
            open += schema.references
        }
        return found
    }

    /// An example of a value: its own, or that of the first part that has one.
    func example(of schema: Schema) -> OrderedJSON? {
        if let example = schema.examples.first { return example }
        if let name = schema.reference { return schemas.first { $0.name == name }.flatMap(example) }
        if let items = schema.items { return example(of: items).map { .array([$0]) } }
        return (schema.parts + schema.alternatives).lazy.compactMap(example).first
    }
}

extension APIDocument {
    /// A schema.
    final class Schema: Sendable {
        /// The name, if the schema is listed.
        let name: String
        /// The name of the schema that describes it.
        let reference: String?
        let types: [String]
        let format: String?
        let description: String?
        let choices: [String]
        let properties: [(name: String, schema: Schema)]
        let required: Set<String>
        let items: Schema?
        let alternatives: [Schema]
        let parts: [Schema]
        let minimum: String?
        let maximum: String?
        let maxLength: String?
        let examples: [OrderedJSON]

        init(_ json: OrderedJSON, name: String = "") {
            self.name = name
            reference = json.reference?.last
            types = json["type"]?.text.map { [$0] } ?? json["type"]?.elements.compactMap(\.text) ?? []
            format = json["format"]?.text
            description = json["description"]?.text
            choices = json["enum"]?.elements.compactMap(\.text) ?? []
            properties = json["properties"]?.members.map { (name: $0.name, schema: Schema($0.value)) } ?? []
            required = Set(json["required"]?.elements.compactMap(\.text) ?? [])
            items = json["items"].map { Schema($0) }
            alternatives = json["anyOf"]?.elements.map { Schema($0) } ?? []
            parts = json["allOf"]?.elements.map { Schema($0) } ?? []
            minimum = json["minimum"]?.line
            maximum = json["maximum"]?.line
            maxLength = json["maxLength"]?.line
            examples = json["examples"]?.elements ?? []
        }

        /// The names of the listed schemas that this one needs itself.
        var references: [String] {
            [reference].compactMap(\.self)
                + ([items].compactMap(\.self) + alternatives + parts + properties.map(\.schema)).flatMap(\.references)
        }
    }
}

extension APIDocument {
    /// The document lacks what each one has, or names what it doesn't have.
    struct Incomplete: Error {
        let member: String
    }

    /// Reads a document.
    ///
    /// - Throws: ``Incomplete``.
    init(json: OrderedJSON) throws {
        let source = Source(root: json)
        let components = try json.member("components")
        let info = try json.member("info")
        (title, summary) = (try info.text(of: "title"), try info.text(of: "summary"))
        description = try info.text(of: "description")
        tags = try json.member("tags").elements.map {
            Tag(name: try $0.text(of: "name"), description: try $0.text(of: "description"))
        }
        callers = try components.member("securitySchemes").members.map { member in
            Caller(
                name: member.name, description: try member.value.text(of: "description"),
                header: member.value["name"]?.text)
        }
        operations = try json.member("paths").members.flatMap { path in
            try path.value.members.map { try source.operation($0.value, method: $0.name, path: path.name) }
        }
        eventTypes = try json.member("webhooks").members.map { try source.eventType($0.value, name: $0.name) }
        problems = try source.examples(components.member("examples"))
        schemas = try components.member("schemas").members.map { Schema($0.value, name: $0.name) }
    }

    /// The document, in which a part may stand elsewhere.
    private struct Source {
        let root: OrderedJSON

        func operation(_ json: OrderedJSON, method: String, path: String) throws -> Operation {
            Operation(
                id: try json.text(of: "operationId"), method: method, path: path,
                tags: json["tags"]?.elements.compactMap(\.text) ?? [],
                summary: try json.text(of: "summary"), description: json["description"]?.text,
                callers: json["security"]?.elements.map { $0.members.map(\.name) } ?? [],
                parameters: try json["parameters"]?.elements.map(parameter) ?? [],
                bodies: try media(json["requestBody"]),
                answers: try json.member("responses").members.sorted { $0.name < $1.name }.map(answer))
        }

        private func parameter(_ json: OrderedJSON) throws -> Parameter {
            let json = try resolved(json)
            return Parameter(
                name: try json.text(of: "name"), place: try json.text(of: "in"),
                isRequired: json["required"] == .literal("true"), isOneOf: json["x-one-of"] == .literal("true"),
                description: try json.text(of: "description"),
                schema: Schema(try json.member("schema")), example: json["example"])
        }

        private func answer(_ member: OrderedJSON.Member) throws -> Answer {
            let json = try resolved(member.value)
            return Answer(
                status: member.name, description: try json.text(of: "description"),
                headers: json["headers"]?.members.map(\.name) ?? [], bodies: try media(json),
                isShared: member.value.reference != nil)
        }

        func eventType(_ json: OrderedJSON, name: String) throws -> EventType {
            let json = try json.member("post")
            let body = try media(json.member("requestBody")).first
            guard let body, let example = body.examples.first else { throw Incomplete(member: name) }
            let data = body.schema.parts.flatMap(\.properties).filter { $0.name == "data" }
            return EventType(
                name: name, summary: try json.text(of: "summary"),
                always: data.reduce(into: []) { $0.formUnion($1.schema.required) }, example: example.value)
        }

        private func media(_ json: OrderedJSON?) throws -> [Media] {
            try json?["content"]?.members.map { member in
                Media(
                    type: member.name, schema: Schema(try member.value.member("schema")),
                    examples: try member.value["examples"].map(examples) ?? [])
            } ?? []
        }

        func examples(_ json: OrderedJSON) throws -> [Example] {
            try json.members.map { member in
                let json = try resolved(member.value)
                return Example(
                    name: member.name, summary: json["summary"]?.text, description: json["description"]?.text,
                    value: try json.member("value"))
            }
        }

        private func resolved(_ json: OrderedJSON) throws -> OrderedJSON {
            guard let path = json.reference else { return json }
            return try path.reduce(root) { try $0.member($1) }
        }
    }
}

extension OrderedJSON {
    /// The names that lead to the part that this stands for, such as `#/components/schemas/Order`.
    var reference: [String]? { self["$ref"]?.text?.split(separator: "/").dropFirst().map(String.init) }

    fileprivate func member(_ name: String) throws -> OrderedJSON {
        guard let value = self[name] else { throw APIDocument.Incomplete(member: name) }
        return value
    }

    fileprivate func text(of name: String) throws -> String {
        guard let text = try member(name).text else { throw APIDocument.Incomplete(member: name) }
        return text
    }
}

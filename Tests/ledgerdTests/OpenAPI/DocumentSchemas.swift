import Foundation

@testable import ledgerd

/// Writes the schemas of docs/openapi.json from LedgerWire's declarations.
///
/// `Tests/OpenAPI` has what they don't say: `schemas.json` the few schemas that are not LedgerWire's, such as the gateway's
/// events, and `examples.json` examples of bodies.
struct DocumentSchemas: Sendable {
    let source: WireSource
    /// The schemas that are declared as such, and further members of those that are not.
    let declared: OrderedJSON
    /// The examples by the schema's name.
    let examples: OrderedJSON
    /// The values of members that the service declares elsewhere, such as `Event.type`.
    let values: [String: [String]]

    /// All schemas, by name.
    func json() -> OrderedJSON {
        var all = Dictionary(uniqueKeysWithValues: declared.members.map { ($0.name, $0.value) })
        for body in source.bodies.values where SchemaName.isListed(body.name) && hasSchema(body) {
            let name = SchemaName.of(declared: body.name)
            let members = object(body, as: name).members
            all[name] = .object(declared[name].map { merge(members, $0.members) } ?? members)
        }
        for (body, list) in source.lists {
            let name = SchemaName.of(declared: "ListBody<\(body)>")
            all[name] = all[name] ?? page(of: body, list)
        }
        for (name, choices) in values where !name.contains(".") {
            all[name] = .object((all[name]?.members ?? []) + [.init("enum", .strings(choices))])
        }
        return .object(
            all.sorted { $0.key < $1.key }.map { name, schema in
                .init(name, .object(schema.members + (examples[name].map { [.init("examples", $0)] } ?? [])))
            })
    }

    /// Whether a structure has a schema of its own: not what lists and problems are made of, and not what is declared whole.
    private func hasSchema(_ body: WireSource.Body) -> Bool {
        let name = SchemaName.of(declared: body.name)
        return !body.members.isEmpty && !["List", "MemberName", "ProblemCode"].contains(name)
            && (declared[name] == nil || declared[name]?["type"] == nil && declared[name]?["anyOf"] == nil)
    }

    /// An object; as a member it has the member's description.
    private func object(_ body: WireSource.Body, as name: String?) -> OrderedJSON {
        let members = body.members.filter { $0.type != "[String: ProblemMember]" }
        let required = members.filter {
            ($0.comment["Null"] == ["written"] || !$0.isOptional) && $0.comment["Default"] == nil
        }
        var json: [OrderedJSON.Member] = [.init("type", .string("object"))]
        if name != nil { json.append(.init("description", .string(body.comment.text))) }
        if body.isRequest { json.append(.init("additionalProperties", .literal("false"))) }
        if !required.isEmpty { json.append(.init("required", .strings(required.map(\.name)))) }
        let properties = members.map { member in
            OrderedJSON.Member(member.name, schema(of: member, in: body, as: "\(name ?? body.name).\(member.name)"))
        }
        return .object(json + [.init("properties", .object(properties))])
    }

    /// The schema of a member.
    private func schema(of member: WireSource.Member, in body: WireSource.Body, as name: String) -> OrderedJSON {
        let comment = member.comment
        var json =
            values[name].map { [.init("type", .string("string")), .init("enum", .strings($0))] }
            ?? (comment["Schema"]?.first).map { [.init("$ref", .string("#/components/schemas/\($0)"))] }
            ?? narrowed(type(member.type, in: body.name), by: comment)
        let mayBeNull = body.isRequest && (member.isOptional || comment["Default"] != nil) && comment["Null"] == nil
        if mayBeNull || comment["Null"] == ["written"] { json = nullable(json) }
        return .object(json + [.init("description", .string(comment.text))])
    }

    /// The schema of a type.
    private func type(_ type: String, in owner: String) -> [OrderedJSON.Member] {
        if let plain = Self.plain[type] { return plain }
        if let match = type.wholeMatch(of: /\[String: (.+)\]/) {
            return [
                .init("type", .string("object")),
                .init("additionalProperties", .object(self.type(String(match.1), in: owner))),
            ]
        }
        if type.hasPrefix("[") {
            let items = self.type(String(type.dropFirst().dropLast()), in: owner)
            return [.init("type", .string("array")), .init("items", .object(items))]
        }
        guard let name = source.resolve(type, in: owner) else { return [.init("unknown", .string(type))] }
        if let alias = source.aliases[name] { return narrowed(self.type(alias.type, in: ""), by: alias.comment) }
        guard !SchemaName.isListed(name), let body = source.bodies[name] else {
            return [.init("$ref", .string("#/components/schemas/\(SchemaName.of(declared: name))"))]
        }
        return object(body, as: nil).members
    }

    /// The schemas of Swift's types.
    private static let plain: [String: [OrderedJSON.Member]] = [
        "Bool": [.init("type", .string("boolean"))],
        "Date": [.init("type", .string("string")), .init("format", .string("date-time"))],
        "Double": [.init("type", .string("number"))],
        "Int": [.init("type", .string("integer"))],
        "Int64": [.init("type", .string("integer")), .init("format", .string("int64"))],
        "ProblemCode": [.init("type", .string("string"))],
        "String": [.init("type", .string("string"))],
    ]

    /// A schema with the facts of a comment.
    private func narrowed(_ json: [OrderedJSON.Member], by comment: DocComment) -> [OrderedJSON.Member] {
        var json = json
        if let values = comment["Values"] { json.append(.init("enum", .strings(values))) }
        if let value = comment["Always"]?.first {
            json.append(.init("const", value == "true" ? .literal(value) : .string(value)))
        }
        for (fact, lower, upper) in [
            ("Range", "minimum", "maximum"), ("Length", "minLength", "maxLength"), ("Count", "minItems", "maxItems"),
        ] {
            let range = comment.range(fact)
            if let end = range.lower { json.append(.init(lower, .literal(end))) }
            if let end = range.upper { json.append(.init(upper, .literal(end))) }
        }
        if let pattern = comment["Pattern"]?.first { json.append(.init("pattern", .string(pattern))) }
        if let formats = comment["Format"] {
            let each = formats.map { OrderedJSON.Member("format", .string($0)) }
            json += each.count == 1 ? each : [.init("anyOf", .array(each.map { .object([$0]) }))]
        }
        if let value = comment["Default"]?.first { json.append(.init("default", .literal(value))) }
        if let known = comment["Known values"] {
            json = adding([.init("examples", .strings(known))], toItemsOf: json)
        }
        return keyed(json, by: comment)
    }

    /// A dictionary whose keys are known.
    private func keyed(_ json: [OrderedJSON.Member], by comment: DocComment) -> [OrderedJSON.Member] {
        let (always, other) = (comment["Keys"] ?? [], comment["Further keys"] ?? [])
        guard let index = json.firstIndex(where: { $0.name == "additionalProperties" }), !(always + other).isEmpty
        else {
            return json
        }
        let properties = (always + other).map { key in
            let description = OrderedJSON.Member("description", .string("How many are `\(key)`."))
            return OrderedJSON.Member(key, .object(json[index].value.members + [description]))
        }
        return [json[0]] + (always.isEmpty ? [] : [.init("required", .strings(always))])
            + [.init("properties", .object(properties))]
    }

    /// The schema of an array with more about its items, or of a value with more about it.
    private func adding(
        _ facts: [OrderedJSON.Member], toItemsOf json: [OrderedJSON.Member]
    ) -> [OrderedJSON.Member] {
        guard let index = json.firstIndex(where: { $0.name == "items" }) else { return json + facts }
        var json = json
        json[index] = .init("items", .object(json[index].value.members + facts))
        return json
    }

    /// A schema that null fits too.
    private func nullable(_ json: [OrderedJSON.Member]) -> [OrderedJSON.Member] {
        guard json.first?.name == "type" else {
            return [.init("anyOf", .array([.object(json), .object([.init("type", .string("null"))])]))]
        }
        return json.map { member in
            switch member.name {
            case "type": .init("type", .array([member.value, .string("null")]))
            case "enum": .init("enum", .array(member.value.elements + [.literal("null")]))
            default: member
            }
        }
    }

    /// The schema of a page of a list.
    private func page(of body: String, _ list: String) -> OrderedJSON {
        func described(_ json: [OrderedJSON.Member], _ text: String) -> OrderedJSON {
            .object(json + [.init("description", .string(text))])
        }
        let items = type("[\(body)]", in: "") + [.init("maxItems", .literal("100"))]
        let properties = OrderedJSON.object([
            .init(list, described(items, "The items of the page.")),
            .init("has_more", described([.init("type", .string("boolean"))], "Whether another page follows.")),
            .init(
                "next_cursor",
                described([.init("type", .string("string"))], "The `cursor` of the next page; absent on the last one.")),
        ])
        return .object([
            .init("type", .string("object")), .init("description", .string("A page of a list.")),
            .init("required", .strings([list, "has_more"])), .init("properties", properties),
        ])
    }

    /// Members with those of another object; `properties` of both.
    private func merge(_ members: [OrderedJSON.Member], _ others: [OrderedJSON.Member]) -> [OrderedJSON.Member] {
        members.map { member in
            guard let other = others.first(where: { $0.name == member.name }) else { return member }
            return .init(member.name, .object(member.value.members + other.value.members))
        }
    }
}

extension OrderedJSON {
    /// An array of strings.
    static func strings(_ texts: [String]) -> Self { .array(texts.map(Self.string)) }
}

extension OrderedJSON.Member {
    init(_ name: String, _ value: OrderedJSON) { self.init(name: name, value: value) }
}

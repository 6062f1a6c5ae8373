import Foundation

@testable import LedgerServer

/// Writes the schemas of docs/openapi.json from LedgerWire's declarations.
///
/// `Tests/OpenAPI` has what they don't say: `schemas.json` the few schemas that are not LedgerWire's, such as the gateway's
/// events, and `examples.json` examples of bodies.
struct DocumentSchemas: Sendable {
    let source: WireSource
    /// The schemas that LedgerWire does not declare, and further members of those that it does.
    let declared: OrderedJSON
    /// The examples by the schema's name.
    let examples: OrderedJSON
    /// The values of members that the service declares elsewhere, such as `Event.type`.
    let values: [String: [String]]
    /// The values that members have now, besides which there will be others.
    let knownValues: [String: [String]]

    /// All schemas, by name.
    func json() -> OrderedJSON {
        var all = Dictionary(uniqueKeysWithValues: declared.members.map { ($0.name, $0.value) })
        for body in source.bodies.values where SchemaName.isListed(body.name) && !body.members.isEmpty {
            let name = SchemaName.of(declared: body.name)
            let others = declared[name]?["properties"]
            if declared[name] == nil || declared[name]?.members.count == 1 && others != nil {
                all[name] = object(body, as: name, others: others ?? [:])
            }
        }
        for (item, list) in source.lists {
            let name = SchemaName.of(declared: "ListBody<\(item)>")
            all[name] = all[name] ?? page(of: item, list)
        }
        for (name, choices) in values where all[name] != nil { all[name]? += ["enum": .strings(choices)] }
        for (name, value) in examples.members.map({ ($0.name, $0.value) }) { all[name]? += ["examples": value] }
        for name in ["List", "MemberName", "ProblemCode"] { all[name] = nil }  // what lists and problems are made of
        return .object(all.sorted { $0.key < $1.key }.map { .init(name: $0, value: $1) })
    }

    /// An object; as a member, its description is the member's.
    private func object(_ body: WireSource.Body, as name: String?, others: OrderedJSON = [:]) -> OrderedJSON {
        let members = body.members.filter { $0.type != "[String: ProblemMember]" }
        let required = members.filter {
            ($0.comment["Null"] == ["written"] || !$0.isOptional) && $0.comment["Default"] == nil
        }
        let properties = OrderedJSON.members(of: members) { member in
            (member.name, schema(of: member, in: body, as: "\(name ?? body.name).\(member.name)"))
        }
        return .present([
            "type": "object", "description": name == nil ? nil : .string(body.comment.text),
            "additionalProperties": body.isRequest ? false : nil,
            "required": OrderedJSON.strings(required.map(\.name)).ifAny, "properties": properties + others,
        ])
    }

    /// The schema of a member.
    private func schema(of member: WireSource.Member, in body: WireSource.Body, as name: String) -> OrderedJSON {
        let comment = member.comment
        var json: OrderedJSON =
            if let choices = values[name] {
                ["type": "string", "enum": .strings(choices)]
            } else if let schema = comment["Schema"]?.first { ["$ref": .string("#/components/schemas/\(schema)")] } else
            { narrowed(type(member.type, in: body.name), by: comment) }
        if let known = knownValues[name] { json += ["examples": .strings(known)] }
        let mayBeNull = body.isRequest && (member.isOptional || comment["Default"] != nil) && comment["Null"] == nil
        if mayBeNull || comment["Null"] == ["written"] { json = nullable(json) }
        return json + ["description": .string(withValues(comment.text))]
    }

    /// The text with the values of the types that it links to, such as ``Member/Gateway``.
    private func withValues(_ text: String) -> String {
        text.replacing(#/``(\w+)\/(\w+)``/#) { link in
            let values = source.aliases["\(link.1).\(link.2)"]?.comment["Values"] ?? []
            return values.map { "`\($0)`" }.joined(separator: " or ")
        }
    }

    /// The schema of a type.
    private func type(_ type: String, in owner: String) -> OrderedJSON {
        if let plain = Self.plain[type] { return plain }
        if let match = type.wholeMatch(of: /\[String: (.+)\]/) {
            return ["type": "object", "additionalProperties": self.type(String(match.1), in: owner)]
        }
        if type.hasPrefix("[") {
            return ["type": "array", "items": self.type(String(type.dropFirst().dropLast()), in: owner)]
        }
        guard let name = source.resolve(type, in: owner) else { return ["unknown": .string(type)] }
        if let alias = source.aliases[name] { return narrowed(self.type(alias.type, in: ""), by: alias.comment) }
        guard !SchemaName.isListed(name), let body = source.bodies[name] else {
            return ["$ref": .string("#/components/schemas/\(SchemaName.of(declared: name))")]
        }
        return object(body, as: nil)
    }

    /// The schemas of Swift's types.
    private static let plain: [String: OrderedJSON] = [
        "Bool": ["type": "boolean"], "Date": ["type": "string", "format": "date-time"], "Double": ["type": "number"],
        "Int": ["type": "integer"], "Int64": ["type": "integer", "format": "int64"], "ProblemCode": ["type": "string"],
        "String": ["type": "string"],
    ]

    /// A schema with the facts of a comment.
    private func narrowed(_ json: OrderedJSON, by comment: DocComment) -> OrderedJSON {
        let (value, length, count) = (comment.range("Range"), comment.range("Length"), comment.range("Count"))
        let formats = comment["Format"] ?? []
        var json = json
        json += .present([
            "enum": comment["Values"].map(OrderedJSON.strings),
            "const": comment["Always"]?.first.map { $0 == "true" ? true : .string($0) },
            "minimum": value.lower.map(OrderedJSON.literal), "maximum": value.upper.map(OrderedJSON.literal),
            "minLength": length.lower.map(OrderedJSON.literal), "maxLength": length.upper.map(OrderedJSON.literal),
            "minItems": count.lower.map(OrderedJSON.literal), "maxItems": count.upper.map(OrderedJSON.literal),
            "uniqueItems": comment["Items"] == ["unique"] ? true : nil,
            "pattern": comment["Pattern"]?.first.map(OrderedJSON.string),
            "format": formats.count == 1 ? .string(formats[0]) : nil,
            "anyOf": formats.count > 1 ? .array(formats.map { ["format": .string($0)] }) : nil,
            "default": comment["Default"]?.first.map(OrderedJSON.literal),
        ])
        if let known = comment["Known values"] {
            let examples: OrderedJSON = ["examples": .strings(known)]
            json = json["items"].map { json.replacing("items", by: $0 + examples) } ?? json + examples
        }
        return keyed(json, by: comment)
    }

    /// A dictionary whose keys are known.
    private func keyed(_ json: OrderedJSON, by comment: DocComment) -> OrderedJSON {
        let (always, others) = (comment["Keys"] ?? [], comment["Further keys"] ?? [])
        guard let value = json["additionalProperties"], !(always + others).isEmpty else { return json }
        let properties = OrderedJSON.members(of: always + others) {
            ($0, value + ["description": .string("How many are `\($0)`.")])
        }
        return .present(["type": "object", "required": OrderedJSON.strings(always).ifAny, "properties": properties])
    }

    /// A schema that null fits too.
    private func nullable(_ json: OrderedJSON) -> OrderedJSON {
        guard let type = json["type"] else { return ["anyOf": [json, ["type": "null"]]] }
        let typed = json.replacing("type", by: [type, "null"])
        return json["enum"].map { typed.replacing("enum", by: .array($0.elements + [.literal("null")])) } ?? typed
    }

    /// The schema of a page of a list.
    private func page(of item: String, _ list: String) -> OrderedJSON {
        let items: OrderedJSON = ["maxItems": 100, "description": "The items of the page."]
        let more: OrderedJSON = [
            "has_more": ["type": "boolean", "description": "Whether another page follows."],
            "next_cursor": [
                "type": "string", "description": "The `cursor` of the next page; absent on the last one.",
            ],
        ]
        return [
            "type": "object", "description": "A page of a list.", "required": .strings([list, "has_more"]),
            "properties": [list: type("[\(item)]", in: "") + items] + more,
        ]
    }
}

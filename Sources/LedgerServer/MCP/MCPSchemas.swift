import WireFormats

/// The schemas of tools, from the API's document.
///
/// A schema of the document refers to others of the document. That of a tool has them all in `$defs`.
struct MCPSchemas {
    /// The document.
    let root: JSON

    /// The arguments of an operation: its parameters, but for headers.
    func input(of operation: Operation) -> JSON? {
        guard let described = described(operation) else { return nil }
        let parameters = (described["parameters"]?.elements ?? []).map(resolved).filter { $0["in"]?.text != "header" }
        var (properties, required): ([String: JSON], [JSON]) = ([:], [])
        for parameter in parameters {
            guard let name = parameter["name"]?.text, let schema = parameter["schema"],
                case .object(var members) = resolved(schema)
            else { return nil }
            // An argument is plain: the tool encodes it.
            let description = parameter["description"]?.text?.replacing(", percent-encoded", with: "")
            members["description"] = description.map(JSON.string)
            properties[name] = .object(members)
            if parameter["required"]?.flag == true { required.append(.string(name)) }
        }
        return standalone(
            .object([
                "type": .string("object"), "properties": .object(properties), "required": .array(required),
                "additionalProperties": .bool(false),
            ]))
    }

    /// The result of an operation, which the protocol wants to be an object.
    func output(of operation: Operation) -> JSON? {
        let answer = described(operation)?["responses"]?["200"]?["content"]?["application/json"]
        guard let schema = answer?["schema"].map(resolved), schema["type"]?.text == "object" else { return nil }
        return standalone(schema)
    }

    private func described(_ operation: Operation) -> JSON? { root["paths"]?[operation.path]?["get"] }

    /// The part of the document that this stands for, or itself.
    private func resolved(_ json: JSON) -> JSON {
        guard let reference = json["$ref"]?.text else { return json }
        return reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] ?? .null }
    }

    /// A schema with all that it refers to.
    private func standalone(_ schema: JSON) -> JSON {
        var definitions: [String: JSON] = [:]
        guard case .object(var members) = own(schema, &definitions) else { return schema }
        if !definitions.isEmpty { members["$defs"] = .object(definitions) }
        return .object(members)
    }

    /// The same with references to `$defs`, and without examples, which are long.
    ///
    /// - Parameter definitions: gets what it refers to.
    private func own(_ json: JSON, _ definitions: inout [String: JSON]) -> JSON {
        switch json {
        case .array(let elements): return .array(elements.map { own($0, &definitions) })
        case .object(let members):
            var kept: [String: JSON] = [:]
            for (name, value) in members where name != "examples" || value.elements == nil {
                kept[name] = own(value, &definitions)
            }
            guard let name = members["$ref"]?.text?.split(separator: "/").last.map(String.init) else {
                return .object(kept)
            }
            kept["$ref"] = .string("#/$defs/" + name)
            guard definitions[name] == nil else { return .object(kept) }
            // A schema that refers to itself finds this.
            definitions[name] = .null
            let definition = own(resolved(json), &definitions)
            definitions[name] = definition
            return .object(kept)
        default: return json
        }
    }
}

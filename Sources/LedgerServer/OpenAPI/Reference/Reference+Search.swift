extension Reference {
    /// What the search looks through: each thing with its place, and the words that find it.
    ///
    /// An operation is found by its id, summary and path, the members of its parameters, body and responses, and its codes.
    var searchIndex: OrderedJSON {
        var entries = document.operations.map(operationFound)
        entries += document.problems.map(problemFound)
        entries += document.eventTypes.map(eventTypeFound)
        entries += document.schemas.map(schemaFound)
        entries += settings.flatMap(\.settings).map(settingFound)
        return .array(entries)
    }

    private func operationFound(_ operation: APIDocument.Operation) -> OrderedJSON {
        let needed = document.closure(of: operation.bodies.map(\.schema) + successes(of: operation))
        let members = document.schemas.filter { needed.contains($0.name) && $0.name != "Problem" }.flatMap(\.properties)
        // The codes of many operations would find them all.
        let codes = operation.answers.filter { !$0.isShared }.flatMap(\.codes)
        return entry(
            "operation", operation.summary, at: places.operations[operation.id],
            code: "\(operation.method.uppercased()) \(operation.path)",
            words: [operation.id] + operation.parameters.map(\.name) + members.map(\.name) + codes)
    }

    private func successes(of operation: APIDocument.Operation) -> [APIDocument.Schema] {
        operation.answers.filter { $0.status.hasPrefix("2") }.flatMap(\.bodies).map(\.schema)
    }

    private func problemFound(_ problem: APIDocument.Example) -> OrderedJSON {
        entry(
            "error", problem.summary ?? "", at: ReferencePlaces.address(of: problem), code: problem.name,
            words: [problem.value["status"]?.line ?? ""])
    }

    private func eventTypeFound(_ type: APIDocument.EventType) -> OrderedJSON {
        entry(
            "event", type.summary, at: ReferencePlaces.address(of: type), code: type.name,
            words: type.example["data"]?.members.map(\.name) ?? [])
    }

    private func schemaFound(_ schema: APIDocument.Schema) -> OrderedJSON {
        let description = schema.description?.split(separator: "\n").first.map(String.init) ?? ""
        return entry(
            "body", description, at: places.schemas[schema.name], code: schema.name,
            words: schema.properties.map(\.name))
    }

    private func settingFound(_ setting: any SettingDeclaration) -> OrderedJSON {
        entry(
            "setting", setting.summary, at: ReferencePlaces.address(of: setting), code: setting.variable,
            words: ["--\(setting.flag)"])
    }

    private func entry(
        _ kind: String, _ title: String, at place: String?, code: String, words: [String]
    ) -> OrderedJSON {
        var known: Set<String> = []
        let unique = words.filter { known.insert($0).inserted }.joined(separator: " ")
        return [
            "kind": .string(kind), "title": .string(title), "code": .string(code), "at": .string(place ?? ""),
            "words": .string(unique),
        ]
    }
}

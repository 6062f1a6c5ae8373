extension Reference {
    /// The pages by their names, as HTML.
    var pages: [String: String] {
        var pages = [Self.first: page(Self.first, title: "\(document.title) API", ReferenceTemplates.index, index)]
        for tag in document.tags {
            let name = ReferencePlaces.page(of: tag.name)
            pages[name] = page(name, title: title(of: tag), ReferenceTemplates.group, group(tag))
        }
        for shared in ReferencePlaces.Shared.allCases {
            let (template, values) = content(of: shared)
            pages[shared.rawValue] = page(shared.rawValue, title: shared.title, template, values)
        }
        return pages
    }

    private func page(
        _ name: String, title: String, _ template: ReferenceTemplates, _ values: [String: Any]
    ) -> String {
        ReferenceTemplates.frame.render([
            "title": title, "product": "\(document.title) API", "isFirst": name == Self.first,
            "groups": document.tags.map { link(ReferencePlaces.page(of: $0.name), self.title(of: $0), from: name) },
            "shared": ReferencePlaces.Shared.allCases.map { link($0.rawValue, $0.title, from: name) },
            "content": template.render(values.merging(["title": title]) { $1 }),
        ])
    }

    /// A page in the navigation; the one that is read shows its operations, too.
    private func link(_ page: String, _ title: String, from current: String) -> [String: Any] {
        let operations = page == current ? document.operations.filter { ReferencePlaces.page(of: $0) == page } : []
        return [
            "name": title, "address": ReferencePlaces.address(page), "isCurrent": page == current,
            "hasOperations": !operations.isEmpty,
            "operations": operations.map { ["anchor": $0.id, "summary": $0.summary] },
        ]
    }

    private func title(of tag: APIDocument.Tag) -> String { tag.name.prefix(1).uppercased() + tag.name.dropFirst() }

    private func content(of shared: ReferencePlaces.Shared) -> (ReferenceTemplates, [String: Any]) {
        switch shared {
        case .eventTypes: (.eventTypes, ["types": document.eventTypes.map(eventType)])
        case .errors: (.errors, ["errors": document.problems.map(problem)])
        case .bodies: (.bodies, ["schemas": schemas(on: shared.rawValue)])
        case .settings: (.settings, ["groups": settings.map(settingGroup)])
        }
    }

    // MARK: The first page

    private var index: [String: Any] {
        [
            "summary": document.summary,
            "introduction": document.description.split(separator: "\n\n").map { markup(String($0)) },
            "headers": commonHeaders.map(markup), "callers": document.callers.map(caller), "variables": variables,
            "groups": document.tags.map { tag in
                summary(of: tag).merging(["operations": operations(of: tag).map(route)]) { $1 }
            },
            "types": document.eventTypes.map { entry($0.name, "event-\($0.name)", ReferencePlaces.address(of: $0)) },
            "errors": document.problems.map { entry($0.name, "error-\($0.name)", ReferencePlaces.address(of: $0)) },
            "schemas": document.schemas.map { entry($0.name, "schema-\($0.name)", places.schemas[$0.name] ?? "") },
        ]
    }

    private func entry(_ name: String, _ anchor: String, _ address: String) -> [String: Any] {
        ["name": name, "anchor": anchor, "address": address]
    }

    private func caller(_ caller: APIDocument.Caller) -> [String: Any] {
        [
            "name": caller.name, "header": caller.header ?? "Authorization: Bearer …",
            "description": markup(caller.description),
        ]
    }

    // MARK: Groups

    private func operations(of tag: APIDocument.Tag) -> [APIDocument.Operation] {
        document.operations.filter { $0.tags.first == tag.name }
    }

    private func summary(of tag: APIDocument.Tag) -> [String: Any] {
        let page = ReferencePlaces.page(of: tag.name)
        return [
            "name": title(of: tag), "anchor": page, "address": ReferencePlaces.address(page),
            "description": markup(tag.description),
        ]
    }

    private func route(_ operation: APIDocument.Operation) -> [String: Any] {
        [
            "id": operation.id, "method": operation.method.uppercased(), "verb": operation.method,
            "path": operation.path, "summary": operation.summary, "address": places.operations[operation.id] ?? "",
        ]
    }

    private func group(_ tag: APIDocument.Tag) -> [String: Any] {
        let schemas = schemas(on: ReferencePlaces.page(of: tag.name))
        return [
            "description": markup(tag.description), "operations": operations(of: tag).map(operation),
            "hasSchemas": !schemas.isEmpty, "schemas": schemas,
        ]
    }

    private func operation(_ operation: APIDocument.Operation) -> [String: Any] {
        // The refusals of many operations stand in one line, so that one sees those of this operation.
        let usual = operation.answers.filter { $0.isShared && !$0.codes.isEmpty }.flatMap(\.codes)
        let answers = operation.answers.filter { !$0.isShared || $0.codes.isEmpty }
        let refusals = answers.filter { !$0.codes.isEmpty }
        return route(operation).merging([
            "details": operation.description.map { [markup($0)] } ?? [], "callers": callers(of: operation),
            "parameters": operation.parameters.map(parameter), "hasParameters": !operation.parameters.isEmpty,
            "bodies": operation.bodies.map(body), "answers": answers.filter(\.codes.isEmpty).map(answer),
            "refusals": refusals.map(refusal), "hasRefusals": !refusals.isEmpty,
            "usual": usual.isEmpty ? [] : [usual.map { markup("`\($0)`") }.joined(separator: ", ")],
            "samples": samples(of: operation),
        ]) { $1 }
    }

    private func callers(of operation: APIDocument.Operation) -> String {
        guard !operation.callers.isEmpty else { return "anyone" }
        return operation.callers.map { together in
            together.map { caller in
                "<a href=\"\(ReferencePlaces.address(Self.first, "caller-\(caller)"))\">\(escape(caller))</a>"
            }.joined(separator: " and ")
        }.joined(separator: ", or ")
    }

    private func parameter(_ parameter: APIDocument.Parameter) -> [String: Any] {
        [
            "name": parameter.name, "anchors": [String](), "type": "\(parameter.place), \(type(parameter.schema))",
            "required": parameter.isRequired, "description": sentence(parameter.description),
        ]
    }

    private func body(_ media: APIDocument.Media) -> [String: Any] {
        // Its members stand with the operation, so that nobody has to look them up; so do those of each alternative.
        let listed = document.listed(media.schema)
        let variants = [media.schema] + (listed.properties.isEmpty ? listed.alternatives : [])
        return [
            "media": media.type,
            "variants": variants.map { description(of: document.listed($0), as: type($0), hasAnchors: false) },
        ]
    }

    private func answer(_ answer: APIDocument.Answer) -> [String: Any] {
        let isProblem = answer.status.first != "2"
        let headers = answer.headers.filter { !commonHeaders.contains($0) }
        return [
            "status": answer.status, "meaning": markup(answer.description),
            "types": isProblem ? [] : answer.bodies.map { type($0.schema) },
            "headers": headers.isEmpty ? [] : [headers.joined(separator: ", ")],
        ]
    }

    private func refusal(_ answer: APIDocument.Answer) -> [String: Any] {
        // The description ends with the list of codes, which stand below it here.
        let meaning = answer.description.firstRange(of: " Codes: ").map { answer.description[..<$0.lowerBound] }
        return [
            "status": answer.status, "meaning": markup(String(meaning ?? answer.description[...])),
            "codes": answer.codes.map { code in
                ["link": markup("`\(code)`"), "text": problems[code].map(meaningOf) ?? ""]
            },
        ]
    }

    /// The title of a problem, and what to do.
    private func meaningOf(_ problem: APIDocument.Example) -> String {
        markup([problem.summary, problem.description].compactMap(\.self).joined(separator: " "))
    }

    // MARK: What the groups share

    private func eventType(_ type: APIDocument.EventType) -> [String: Any] {
        let event = document.schemas.first { $0.name == "Event" }?.properties.first { $0.name == "data" }
        let members = event.map { document.listed($0.schema).properties } ?? []
        let shown = type.example["data"]?.members.map(\.name) ?? []
        let rows = members.filter { shown.contains($0.name) }.map { member in
            row(of: member, required: type.always.contains(member.name), anchors: [])
        }
        return [
            "name": type.name, "summary": sentence(type.summary), "members": rows, "hasMembers": !rows.isEmpty,
            "example": code(type.example),
        ]
    }

    private func problem(_ problem: APIDocument.Example) -> [String: Any] {
        let operations = document.operations.filter { operation in
            operation.answers.contains { !$0.isShared && $0.codes.contains(problem.name) }
        }
        return [
            "code": problem.name, "status": problem.value["status"]?.line ?? "",
            "summary": markup(problem.summary ?? ""), "advice": problem.description.map { [markup($0)] } ?? [],
            "users": links(to: operations), "example": code(problem.value),
        ]
    }

    /// The operations as one text, if there are any.
    private func links(to operations: [APIDocument.Operation]) -> [String] {
        let links = operations.map { operation in
            "<a href=\"\(places.operations[operation.id] ?? "")\">\(escape(operation.summary))</a>"
        }
        return links.isEmpty ? [] : [links.joined(separator: ", ")]
    }

    private func schemas(on page: String) -> [[String: Any]] {
        document.schemas.filter { ReferencePlaces.isOn(page, places.schemas[$0.name]) }.map(schema)
    }

    private func schema(_ schema: APIDocument.Schema) -> [String: Any] {
        // Nearly all operations have problems, so their list would help nobody.
        [
            "name": schema.name, "examples": schema.examples.map(code),
            "users": schema.name == "Problem" ? [] : links(to: users[schema.name] ?? []),
        ].merging(
            description(
                of: schema, as: schema.alternatives.isEmpty ? "" : type(schema) + ".", hasAnchors: true)
        ) { $1 }
    }

    private func description(
        of schema: APIDocument.Schema, as type: String, hasAnchors: Bool
    ) -> [String: Any] {
        [
            "type": type, "description": markup(schema.description ?? ""), "hasMembers": !schema.properties.isEmpty,
            "members": schema.properties.map { member in
                row(
                    of: member, required: schema.required.contains(member.name),
                    anchors: hasAnchors ? ["schema-\(schema.name).\(member.name)"] : [])
            },
        ]
    }

    private func row(
        of member: (name: String, schema: APIDocument.Schema), required: Bool, anchors: [String]
    ) -> [String: Any] {
        [
            "name": member.name, "anchors": anchors, "type": type(member.schema), "required": required,
            "description": sentence(member.schema.description ?? ""),
        ]
    }

    private func settingGroup(_ group: any SettingGroup) -> [String: Any] {
        [
            "name": group.title, "anchor": "group-" + group.title.lowercased().replacing(" ", with: "-"),
            "settings": group.settings.map(setting),
        ]
    }

    private func setting(_ setting: any SettingDeclaration) -> [String: Any] {
        let value = setting.defaultText.map { "<code>\(escape($0))</code>" } ?? setting.unset.map(escape)
        return [
            "variable": setting.variable, "flag": "--\(setting.flag)", "summary": markup(setting.summary),
            "rule": escape(setting.rule), "default": value ?? "none: the setting is required",
            "isSecret": setting.isSecret, "file": setting.fileVariable,
        ]
    }
}

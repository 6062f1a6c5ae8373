import LedgerWire

@testable import LedgerServer

/// Writes the paths of docs/openapi.json, and the parts that they share, from the declared operations.
enum DocumentPaths {
    /// The operations by path, in their order.
    static var paths: OrderedJSON {
        let paths = Operation.all.map(\.path).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return .members(of: paths) { path in
            let operations = Operation.all.filter { $0.path == path }
            return (path, .members(of: operations) { ($0.method.rawValue.lowercased(), $0.document) })
        }
    }

    /// The parameters of many operations.
    static var parameters: OrderedJSON {
        .members(of: Operation.Parameter.shared) { ($0.sharedName ?? $0.name, $0.described) }
    }

    /// The refusals of many operations.
    static var responses: OrderedJSON {
        let unchanged: OrderedJSON = [
            "description": "The body is unchanged since `If-None-Match`.",
            "headers": headers(["X-Request-Id", "ETag"]),
        ]
        return ["NotModified": unchanged] + .members(of: RefusalAnswer.standard) { ($0.name, $0.answer.described) }
    }

    /// The headers of responses.
    static var headers: OrderedJSON {
        [
            "ETag": header(
                "the tag of this body; send it as `If-None-Match` to get 304 while the body is unchanged (RFC 9110, 8.8.3)",
                ["type": "string", "pattern": #"^"[A-Za-z0-9_-]{22}"$"#]),
            "Cache-Control": header("`public, no-cache`: caches may store it and must revalidate each time"),
            "X-Request-Id": header(
                "the request id in our log: the caller's own, if it sent a valid one",
                ["type": "string", "minLength": 1, "maxLength": 128], isRequired: true),
            "Retry-After": retryAfter(isRequired: true),
            "Idempotent-Replayed": header(
                "`true` if this is the response to an earlier request with the same key",
                ["type": "string", "const": "true"]),
            "Location": header(
                "the URL of what was created", ["type": "string", "format": "uri-reference"], isRequired: true),
            "Link": header(#"`<…>; rel="next"` if another page follows (RFC 8288)"#),
            "WWW-Authenticate": header("the required token (RFC 6750)", isRequired: true),
            "Content-Disposition": header("`attachment` with the file name", isRequired: true),
            "Allow": header("the allowed methods of the path", isRequired: true),
            "Ledgerd-Export-Server": header(
                "the server that was read: `standby` if the service has one for reports",
                ["type": "string", "enum": ["primary", "standby"]]),
            "Ledgerd-Export-Time": header(
                "everything that was recorded up to this time is in the report",
                ["type": "string", "format": "date-time"]),
        ]
    }

    /// - Parameter isRequired: whether each of the response's codes has it.
    static func retryAfter(isRequired: Bool) -> OrderedJSON {
        header(
            "the number of seconds to wait before the next request", ["type": "integer", "minimum": 0],
            isRequired: isRequired)
    }

    private static func header(
        _ description: String, _ schema: OrderedJSON = ["type": "string"], isRequired: Bool = false
    ) -> OrderedJSON {
        .present(["description": .string(description), "required": isRequired ? true : nil, "schema": schema])
    }

    static func reference(_ kind: String, _ name: String) -> OrderedJSON {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }

    static func headers(_ names: [String]) -> OrderedJSON {
        .members(of: names) { ($0, reference("headers", $0)) }
    }
}

extension Operation {
    fileprivate var document: OrderedJSON {
        .present([
            "tags": [.string(tag.rawValue)], "operationId": .string(id), "summary": .string(summary),
            "description": description.map(OrderedJSON.string), "security": .array(callers.security),
            "parameters": OrderedJSON.array(allParameters.map(\.document)).ifAny, "requestBody": body?.document,
            "responses": responses, "x-ignores-unknown": traits.contains(.ignoresUnknown) ? true : nil,
        ])
    }

    private var allParameters: [Parameter] {
        let path = parameters.filter { $0.place == .path }
        return (traits.contains(.tagged) ? [.ifNoneMatch] : []) + path
            + (traits.contains(.keyed) ? [.key] : traits.contains(.keyedIfAny) ? [.keyIfAny] : [])
            + parameters.filter { $0.place != .path } + (traits.contains(.paged) ? [.limit, .cursor] : [])
    }

    /// The responses, by status.
    private var responses: OrderedJSON {
        var all = answers.map { (status: $0.status, json: $0.document(headers: impliedHeaders($0.status))) }
        if traits.contains(.tagged) { all.append((304, DocumentPaths.reference("responses", "NotModified"))) }
        all += RefusalAnswer.all(of: self).map { (status: $0.status, json: $0.document) }
        return .members(of: all.sorted { $0.status < $1.status }) { ("\($0.status)", $0.json) }
    }

    /// The headers of a response, beside those that it names.
    private func impliedHeaders(_ status: Int) -> [String] {
        guard status < 300 else { return ["X-Request-Id"] }
        let isMarked = !traits.isDisjoint(with: [.keyed, .keyedIfAny]) && !traits.contains(.unmarkedRepeats)
        return (traits.contains(.tagged) ? ["ETag"] : []) + ["X-Request-Id"]
            + (traits.contains(.paged) ? ["Link"] : []) + (isMarked ? ["Idempotent-Replayed"] : [])
    }
}

extension Callers {
    /// The schemes of the document; those of one object are needed together.
    fileprivate var security: [OrderedJSON] {
        switch self {
        case .anyone: []
        case .holder(let scope): [[Self.scheme(scope): []]]
        case .either(let one, let other): [[Self.scheme(one): []], [Self.scheme(other): []]]
        case .both(let one, let other):
            [[Self.scheme(one): .array([one, other].map { .string($0.description) })]]
        case .appUser: [["appKey": [], "user": []], ["appKey": [], "bareToken": []]]
        }
    }

    /// The whole scope that this one is a part of.
    private static func scheme(_ scope: Scope) -> String {
        String(scope.description.prefix { $0 != ":" })
    }
}

extension Operation.Parameter {
    fileprivate var document: OrderedJSON {
        sharedName.map { DocumentPaths.reference("parameters", $0) } ?? described
    }

    fileprivate var described: OrderedJSON {
        .present([
            "name": .string(name), "in": .string(place.rawValue), "required": isRequired ? true : nil,
            "description": .string(description), "x-one-of": isOneOf ? true : nil,
            "style": value.isList ? "form" : nil, "explode": value.isList ? false : nil, "schema": value.schema,
            "example": example,
        ])
    }
}

extension Operation.Body {
    fileprivate var document: OrderedJSON {
        ["required": .literal("\(isRequired)"), "content": Self.content(media)]
    }

    fileprivate static func content(_ media: [Media]) -> OrderedJSON {
        .members(of: media) { media in
            let examples = OrderedJSON.members(of: media.examples) { example in
                (example.name, .present(["summary": example.summary.map(OrderedJSON.string), "value": example.value]))
            }
            return (media.type, .present(["schema": media.schema.document, "examples": examples.ifAny]))
        }
    }
}

extension Operation.Schema {
    fileprivate var document: OrderedJSON {
        switch self {
        case .type(let type): Self.reference(type)
        case .named(let name): DocumentPaths.reference("schemas", name)
        case .list(let type): ["type": "array", "items": Self.reference(type)]
        case .either(let types): ["anyOf": .array(types.map(Self.reference))]
        case .any(let type, let required, let description):
            .present([
                "type": .string(type), "required": OrderedJSON.strings(required).ifAny,
                "description": description.map(OrderedJSON.string),
            ])
        }
    }

    private static func reference(_ type: Any.Type) -> OrderedJSON {
        DocumentPaths.reference("schemas", SchemaName.of(type))
    }
}

extension Operation.Answer {
    /// - Parameter headers: those that follow from the operation's traits.
    fileprivate func document(headers implied: [String]) -> OrderedJSON {
        let links = OrderedJSON.members(of: links) { link in
            let parameters: OrderedJSON = ["id": .string("$response.body#\(link.id)")]
            return (link.name, ["operationId": .string(link.operation), "parameters": parameters])
        }
        return .present([
            "description": .string(description), "headers": DocumentPaths.headers(implied + headers.map(\.rawValue)),
            "content": Operation.Body.content(content).ifAny, "links": links.ifAny,
        ])
    }
}

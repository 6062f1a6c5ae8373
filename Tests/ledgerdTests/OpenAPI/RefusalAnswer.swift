import LedgerWire

@testable import ledgerd

/// The refusals of an operation under one status, as the document has them.
struct RefusalAnswer: Equatable {
    let status: Int
    /// What the status means here.
    let meaning: String
    let codes: [ProblemCode]
    /// Whether a repeat gets the refusal again.
    var isRecorded = false

    /// All refusals of an operation, which the kind implies or the declaration names.
    static func all(of operation: Operation) -> [RefusalAnswer] {
        let codes = implied(by: operation)
        return Set(codes.map(\.status)).sorted().map { status in
            RefusalAnswer(
                status: status,
                meaning: operation.meanings[status] ?? meanings[status] ?? "",
                codes: codes.filter { $0.status == status },
                isRecorded: operation.traits.contains(.recorded) && [402, 404, 409, 422].contains(status))
        }
    }

    /// The codes in the order in which the document names them; each status has its own.
    private static func implied(by operation: Operation) -> [ProblemCode] {
        guard !operation.traits.contains(.withoutProblems) else { return operation.refusals }
        let isStrict = !operation.traits.contains(.ignoresUnknown)
        let isKeyed = operation.traits.contains(.keyed)
        var codes: [ProblemCode] = isKeyed ? [.idempotencyKeyMissing] : []
        if operation.hasJSONBody && isStrict { codes += body }
        if isStrict || operation.body != nil { codes.append(.invalidRequest) }
        if operation.callers != .anyone { codes += [.tokenMissing, .tokenInvalid, .tokenExpired, .forbidden] }
        if operation.traits.contains(.recorded) { codes.append(.requestInProgress) }
        if operation.body != nil {
            codes += [.requestTimeout, .bodyTooLarge] + (isStrict ? [.unsupportedMediaType] : [])
            if isKeyed || operation.traits.contains(.keyedIfAny) { codes.append(.idempotencyKeyReused) }
        }
        return codes + operation.refusals + [.internal]
            + (operation.traits.contains(.offline) ? [] : [.databaseUnavailable, .overloaded, .shuttingDown])
    }

    private static let body: [ProblemCode] = [
        .malformedJSON, .unknownMember, .repeatedMember, .missingMember, .wrongType,
    ]

    private static let meanings = [
        400: "The request is malformed.", 401: "The token is missing or invalid.", 402: "The user has too few coins.",
        403: "The token lacks the scope.", 404: "Not found.", 405: "The path does not allow this method.",
        408: "The request did not arrive in time. The connection is closed.",
        409: "The request conflicts with the present state.", 413: "The body is too large.",
        415: "The body is not JSON.", 422: "The request is valid but can't be carried out.",
        429: "Too many items or requests are in progress.", 500: "Internal error.",
        502: "The payment gateway refused.", 503: "Temporarily unavailable.",
    ]

    /// Those that many operations have, by their names in the document.
    static let standard: [(name: String, answer: RefusalAnswer)] = [
        standard("BadBody", body + [.invalidRequest]),
        standard("BadAct", [.idempotencyKeyMissing] + body + [.invalidRequest]),
        standard("BadRequest", [.invalidRequest]),
        standard("Unauthorized", [.tokenMissing, .tokenInvalid, .tokenExpired]), standard("Forbidden", [.forbidden]),
        standard("NotFound", [.notFound]), standard("MethodNotAllowed", [.methodNotAllowed]),
        standard("RequestTimeout", [.requestTimeout]), standard("BodyTooLarge", [.bodyTooLarge]),
        standard("NotJSON", [.unsupportedMediaType]), standard("Internal", [.internal]),
        standard("Unavailable", [.databaseUnavailable, .overloaded, .shuttingDown]),
    ]

    private static func standard(_ name: String, _ codes: [ProblemCode]) -> (name: String, answer: RefusalAnswer) {
        let status = codes.first?.status ?? 0
        return (name, RefusalAnswer(status: status, meaning: meanings[status] ?? "", codes: codes))
    }

    /// The answer, or a reference to the same one of many operations.
    var document: OrderedJSON {
        Self.standard.first { $0.answer == self }.map { DocumentPaths.reference("responses", $0.name) } ?? described
    }

    var described: OrderedJSON {
        let names = codes.map(\.rawValue)
        let schema: OrderedJSON = [
            "allOf": [
                DocumentPaths.reference("schemas", "Problem"),
                ["type": "object", "properties": ["code": ["enum": .array(names.map(OrderedJSON.string))]]],
            ]
        ]
        let examples = OrderedJSON.object(
            names.map { .init(name: $0, value: DocumentPaths.reference("examples", $0)) })
        return [
            "description": .string("\(meaning) Codes: \(names.map { "`\($0)`" }.joined(separator: ", "))."),
            "headers": .object(headers),
            "content": ["application/problem+json": ["schema": schema, "examples": examples]],
        ]
    }

    private var headers: [OrderedJSON.Member] {
        func named(_ name: String) -> OrderedJSON.Member {
            .init(name: name, value: DocumentPaths.reference("headers", name))
        }
        var headers = [named("X-Request-Id")]
        if codes.contains(.tokenMissing) { headers.append(named("WWW-Authenticate")) }
        if codes.contains(.methodNotAllowed) { headers.append(named("Allow")) }
        let waiting = codes.count { $0.retryAfterSeconds != nil }
        if waiting == codes.count {
            headers.append(named("Retry-After"))
        } else if waiting > 0 {
            headers.append(.init(name: "Retry-After", value: DocumentPaths.retryAfter(isRequired: false)))
        }
        if isRecorded { headers.append(named("Idempotent-Replayed")) }
        return headers
    }
}

extension Operation {
    fileprivate var hasJSONBody: Bool { body?.media.contains { $0.type == "application/json" } == true }
}

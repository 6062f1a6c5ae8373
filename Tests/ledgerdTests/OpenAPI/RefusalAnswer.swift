import LedgerWire

@testable import LedgerServer

/// The refusals of an operation under one status, as the document has them.
struct RefusalAnswer: Equatable {
    /// The codes, all of one status.
    let codes: [ProblemCode]
    /// What the status means here.
    let meaning: String
    /// Whether a repeat gets the refusal again.
    let isRecorded: Bool

    var status: Int { codes.first?.status ?? 0 }

    private init(_ codes: [ProblemCode], meaning: String? = nil, isRecorded: Bool = false) {
        (self.codes, self.isRecorded) = (codes, isRecorded)
        self.meaning = meaning ?? codes.first.flatMap { Self.meanings[$0.status] } ?? ""
    }

    /// All refusals of an operation, which the kind implies or the declaration names.
    static func all(of operation: Operation) -> [RefusalAnswer] {
        let codes = implied(by: operation)
        return Set(codes.map(\.status)).sorted().map { status in
            RefusalAnswer(
                codes.filter { $0.status == status }, meaning: operation.meanings[status],
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
        ("BadBody", RefusalAnswer(body + [.invalidRequest])),
        ("BadAct", RefusalAnswer([.idempotencyKeyMissing] + body + [.invalidRequest])),
        ("BadRequest", RefusalAnswer([.invalidRequest])),
        ("Unauthorized", RefusalAnswer([.tokenMissing, .tokenInvalid, .tokenExpired])),
        ("Forbidden", RefusalAnswer([.forbidden])), ("NotFound", RefusalAnswer([.notFound])),
        ("MethodNotAllowed", RefusalAnswer([.methodNotAllowed])),
        ("RequestTimeout", RefusalAnswer([.requestTimeout])), ("BodyTooLarge", RefusalAnswer([.bodyTooLarge])),
        ("NotJSON", RefusalAnswer([.unsupportedMediaType])), ("Internal", RefusalAnswer([.internal])),
        ("Unavailable", RefusalAnswer([.databaseUnavailable, .overloaded, .shuttingDown])),
    ]

    /// The answer, or a reference to the same one of many operations.
    var document: OrderedJSON {
        Self.standard.first { $0.answer == self }.map { DocumentPaths.reference("responses", $0.name) } ?? described
    }

    var described: OrderedJSON {
        let names = codes.map(\.rawValue)
        let schema: OrderedJSON = [
            "allOf": [
                DocumentPaths.reference("schemas", "Problem"),
                ["type": "object", "properties": ["code": ["enum": .strings(names)]]],
            ]
        ]
        let examples = OrderedJSON.members(of: names) { ($0, DocumentPaths.reference("examples", $0)) }
        return [
            "description": .string("\(meaning) Codes: \(names.map { "`\($0)`" }.joined(separator: ", "))."),
            "headers": headers,
            "content": ["application/problem+json": ["schema": schema, "examples": examples]],
        ]
    }

    private var headers: OrderedJSON {
        let waiting = codes.count { $0.retryAfterSeconds != nil }
        let always =
            ["X-Request-Id"] + (codes.contains(.tokenMissing) ? ["WWW-Authenticate"] : [])
            + (codes.contains(.methodNotAllowed) ? ["Allow"] : []) + (waiting == codes.count ? ["Retry-After"] : [])
        let ofSome: OrderedJSON =
            (1..<codes.count).contains(waiting) ? ["Retry-After": DocumentPaths.retryAfter(isRequired: false)] : [:]
        return DocumentPaths.headers(always) + ofSome
            + DocumentPaths.headers(isRecorded ? ["Idempotent-Replayed"] : [])
    }
}

extension Operation {
    fileprivate var hasJSONBody: Bool { body?.media.contains { $0.type == "application/json" } == true }
}

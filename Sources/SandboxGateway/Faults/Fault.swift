/// What goes wrong with the next requests to a path.
struct Fault: Hashable, Sendable {
    /// How it goes wrong.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The request is carried out and never answered.
        case timeout
        /// The connection is reset before anything happens.
        case reset
        /// An answer with the status, in HTML: something before the gateway said it.
        case status
        /// The request is carried out, and half of the answer sent.
        case truncate
        /// The request is carried out, and answered a byte at a time.
        case slow
        /// HTTP 200 with HTML.
        case garbage
        /// The access token is thrown away.
        case tokenExpired = "token_expired"
        /// HTTP 200 with a code that isn't 0: the company behind the gateway refused.
        case refusal
    }

    /// The beginning of the paths it strikes; empty strikes all.
    let prefix: String
    let kind: Kind
    let status: Int
    /// The whole delay; of `slow` the delay of each byte.
    let delay: Duration?
    private(set) var times: Int

    init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(body, known: ["path", "times", "kind", "status", "delay_ms"])
        let path = try members.text("path") ?? "*"
        guard path == "*" || path.hasPrefix("/") else {
            throw ControlError(.badRequest, "path", "must be * or begin with /")
        }
        prefix = path.hasSuffix("*") ? String(path.dropLast()) : path
        times = try members.integer("times", in: 0...1_000_000) ?? 1
        delay = try members.integer("delay_ms", in: 0...600_000).map { .milliseconds($0) }
        status = try members.integer("status", in: 200...599) ?? 500
        let kind = try members.choice("kind", of: Kind.self)
        guard kind != nil || times == 0 else { throw ControlError(.badRequest, "kind", "is missing") }
        self.kind = kind ?? .status
    }

    func strikes(_ path: String) -> Bool { path.hasPrefix(prefix) }

    mutating func spend() { times -= 1 }

    var wire: JSONValue {
        .object([
            "path": .string(prefix.isEmpty ? "*" : prefix), "times": .int(times), "kind": .string(kind.rawValue),
            "status": .int(status),
            "delay_ms": delay.map { .int(Int($0 / .milliseconds(1))) } ?? .null,
        ])
    }
}

/// A fault of the next requests to a path.
package struct Fault: Hashable, Sendable {
    /// The kind of fault.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The request is processed without a response.
        case timeout
        /// The request is processed after `delay_ms`, as by a slow network.
        case delay
        /// The request runs for `delay_ms`; meanwhile, a repeat with the same `Idempotency-Key` is refused.
        case stall
        /// The request is processed, and the connection is reset.
        case loseAnswer = "lose_answer"
        /// The connection is reset before the request is processed.
        case reset
        /// A response with the status, in HTML, as from an intermediary.
        case status
        /// The request is processed, and half of the response is sent.
        case truncate
        /// The request is processed, and the response is sent byte by byte.
        case slow
        /// HTTP 200 with HTML.
        case garbage
        /// All access tokens become invalid.
        case tokenExpired = "token_expired"
        /// The payment company refuses: HTTP 200 with a code that isn't 0 in V1, 502 in V2.
        case refusal
    }

    /// The prefix of its paths, in which `*` matches a segment; empty matches all.
    package let prefix: String
    /// Its HTTP method; nil matches all.
    package let method: String?
    package let kind: Kind
    package let status: Int
    /// The total delay; for `slow`, the delay per byte.
    package let delay: Duration?
    private(set) var times: Int

    package init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(body, known: ["path", "method", "times", "kind", "status", "delay_ms"])
        let path = try members.text("path") ?? "*"
        guard path == "*" || path.hasPrefix("/") else {
            throw ControlError(.badRequest, "path", "must be * or begin with /")
        }
        prefix = path.hasSuffix("*") ? String(path.dropLast()) : path
        method = try members.text("method", atMost: 10)
        times = try members.integer("times", in: 0...1_000_000) ?? 1
        delay = try members.integer("delay_ms", in: 0...600_000).map { .milliseconds($0) }
        status = try members.integer("status", in: 200...599) ?? 500
        let kind = try members.choice("kind", of: Kind.self)
        guard kind != nil || times == 0 else { throw ControlError(.badRequest, "kind", "is missing") }
        self.kind = kind ?? .status
    }

    package func strikes(_ method: String, _ path: String) -> Bool {
        guard self.method == nil || self.method == method else { return false }
        guard prefix.contains("*") else { return path.hasPrefix(prefix) }
        let pattern = prefix.split(separator: "/", omittingEmptySubsequences: false)
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count >= pattern.count, let last = pattern.last else { return false }
        return zip(pattern.dropLast(), segments).allSatisfy { $0 == "*" || $0 == $1 }
            && (last == "*" || segments[pattern.count - 1].hasPrefix(last))
    }

    package mutating func spend() { times -= 1 }

    package var wire: JSONValue {
        .object([
            "path": .string(prefix.isEmpty ? "*" : prefix), "method": .text(method), "times": .int(times),
            "kind": .string(kind.rawValue),
            "status": .int(status),
            "delay_ms": delay.map { .int(Int($0 / .milliseconds(1))) } ?? .null,
        ])
    }
}

package import FoundationEssentials
package import HTTPTypes
package import Hummingbird

/// The latest requests that the gateway received, without secrets.
package actor RequestJournal {
    private struct Entry {
        let id: Int
        let at: Date
        let method: String
        let path: String
        let query: String?
        let body: JSONValue
        let authorization: String
        let idempotencyKey: String?
        let connection: Int?
        var status: Int?
        var fault: String?
    }

    /// What the journal shows of a request, without secrets.
    package struct Masks: Sendable {
        let body: @Sendable (_ body: ByteBuffer, _ contentType: String?) -> JSONValue
        let query: @Sendable (_ query: String) -> String

        package init(
            body: @escaping @Sendable (_ body: ByteBuffer, _ contentType: String?) -> JSONValue,
            query: @escaping @Sendable (_ query: String) -> String
        ) {
            self.body = body
            self.query = query
        }
    }

    private let capacity: Int
    private let masks: Masks
    private let now: @Sendable () -> Date
    private var entries: [Entry] = []
    private var nextID = 1

    package init(capacity: Int, masks: Masks, now: @escaping @Sendable () -> Date) {
        self.capacity = max(1, capacity)
        self.masks = masks
        self.now = now
    }

    /// Adds a request.
    ///
    /// - Returns: the number of the entry, to which the result is added later.
    package func record(_ request: Request, _ body: ByteBuffer, connection: Int?) -> Int {
        let fields = body.readableBytes == 0 ? .null : masks.body(body, request.headers[.contentType])
        let entry = Entry(
            id: nextID, at: now(), method: request.method.rawValue, path: request.uri.path,
            query: request.uri.query.map(masks.query),
            body: fields, authorization: Self.kind(of: request.headers[.authorization]),
            idempotencyKey: request.headers[.idempotencyKey], connection: connection)
        entries.append(entry)
        nextID += 1
        // Entries are dropped in bulk, because dropping one moves all others.
        if entries.count >= capacity + max(1, capacity / 8) { entries.removeFirst(entries.count - capacity) }
        return entry.id
    }

    package func answered(_ id: Int, status: Int) {
        if let index = index(of: id) { entries[index].status = status }
    }

    package func struck(_ id: Int, by fault: String) {
        if let index = index(of: id) { entries[index].fault = fault }
    }

    /// The requests after number `after` whose path begins with `prefix`, oldest first.
    package func list(after: Int, prefix: String) -> JSONValue {
        let listed = entries.suffix(capacity).filter { $0.id > after && $0.path.hasPrefix(prefix) }
        return .object(["requests": .array(listed.map(Self.wire))])
    }

    /// The index of an entry; numbers have no gaps.
    private func index(of id: Int) -> Int? {
        guard let first = entries.first?.id, entries.indices.contains(id - first) else { return nil }
        return id - first
    }

    private static func kind(of authorization: String?) -> String {
        guard let authorization, !authorization.isEmpty else { return "none" }
        let words = authorization.split(separator: " ", maxSplits: 1)
        return words.count > 1 ? words[0].lowercased() : "bare"
    }

    private static func wire(_ entry: Entry) -> JSONValue {
        .object([
            "id": .int(entry.id), "at": .string(entry.at.formatted(style)), "method": .string(entry.method),
            "path": .string(entry.path), "query": .text(entry.query), "body": entry.body,
            "authorization": .string(entry.authorization),
            "idempotency_key": .text(entry.idempotencyKey),
            "connection": entry.connection.map(JSONValue.int) ?? .null,
            "status": entry.status.map(JSONValue.int) ?? .null, "fault": .text(entry.fault),
        ])
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

extension HTTPField.Name {
    package static var idempotencyKey: Self {
        guard let name = Self("Idempotency-Key") else { preconditionFailure("a valid field name") }
        return name
    }
}

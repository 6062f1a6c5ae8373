import Foundation
import HTTPTypes
package import Hummingbird
package import Ledger
import LedgerWire
import Logging
import Timing

/// Finds customers, tells what happened to them, and keeps notes on them, for customer support.
struct CustomersController: Sendable {
    let ledger: Ledger

    /// `GET /v1/search?name=…`: what has this name.
    func search(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let name = try request.query("name")["name"] else {
            throw Problem.invalid(member: "name", "name is required")
        }
        let found = try await ledger.matches(of: name).map(SearchMatchBody.init)
        return try Response(json: ListBody(name: SearchMatchBody.listName, items: found, nextCursor: nil))
    }

    /// `GET /v1/users/{user}/timeline`, newest first.
    func timeline(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: TimelineCursor.self)
        let found = try await ledger.timeline.list(
            of: try context.requireUserInPath(), after: page.after, limit: page.limit)
        let now = Time.current.now
        return try page.answer(
            TimelineItemBody.listName, found.elements.map { TimelineItemBody($0, at: now) }, next: found.next)
    }

    /// `GET /v1/users/{user}/export`: all that is held about the user, streamed.
    func export(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await ledger.exports.begin(of: try context.requireUserInPath()).get()
            .response(answering: request, context)
    }

    /// `GET /v1/users/{user}/notes`, newest first.
    func notes(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await ledger.notes.list(
            on: try context.requireUserInPath(), after: page.after, limit: page.limit)
        return try page.answer(CustomerNoteBody.listName, found.elements.map(CustomerNoteBody.init), next: found.next)
    }

    /// `POST /v1/users/{user}/notes`: a repeat gets the same note.
    func add(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        let key = try request.idempotencyKey(context)
        let body = try await request.decode(as: CustomerNoteRequestBody.self, context: context)
        let (name, caller) = ("\(key.caller.rawValue)/\(key.text)", key.caller.rawValue)
        let note = try await ledger.notes.add(body.text.value, on: user, key: name, by: caller, named: caller)
        guard let note else {
            throw Problem.keyReused(for: "note", at: try await ledger.notes.written(under: name, by: caller))
        }
        return try Response(status: .created, json: CustomerNoteBody(note))
    }
}

extension UserExport {
    /// The export as the body of a response, streamed.
    package func response(answering request: Request, _ context: LedgerdRequestContext) -> Response {
        var headers = HTTPFields(of: origin, named: "user.jsonl")
        headers[.contentType] = "application/x-ndjson"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                do {
                    try await request.body.consumeWithCancellationOnInboundClose { _ in
                        try await self.run { try await writer.write(ByteBuffer(bytes: $0)) }
                    }
                    try await writer.finish(nil)
                } catch {
                    let metadata: Logger.Metadata = ["report": "user", "error": .string(ExportStream.name(of: error))]
                    context.logger.warning("export interrupted", metadata: metadata)
                    throw error
                }
            })
    }
}

/// The request of a note.
struct CustomerNoteRequestBody: Decodable {
    let text: NoteText

    typealias CodingKeys = CustomerNoteRequest.CodingKeys

    /// A text longer than ``NonEmpty`` allows.
    struct NoteText: Decodable {
        let value: String

        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(String.self)
            let pointer = JSONPointer(decoder.codingPath).text
            guard !value.isEmpty else { throw Problem.missingMember(pointer, "\(pointer) must not be empty") }
            guard value.unicodeScalars.count <= CustomerNotes.longest,
                value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else {
                throw Problem.invalid(
                    pointer: pointer,
                    "\(pointer) must have at most \(CustomerNotes.longest) characters, and no control characters")
            }
        }
    }
}

extension CustomerNoteBody {
    fileprivate init(_ note: CustomerNote) {
        self.init(id: note.id, text: note.text, writtenBy: note.writtenBy, writtenAt: note.writtenAt)
    }
}

extension SearchMatchBody {
    init(_ match: SearchMatch) {
        self.init(
            kind: match.kind.rawValue, id: match.id, user: match.user.rawValue, reference: match.merchantUID,
            at: match.at)
    }
}

extension TimelineItemBody {
    /// An item, with the status of an order at a moment.
    init(_ item: TimelineItem, at now: Date) {
        switch item {
        case .entry(let entry): self.init(at: item.at, entry: StatementEntryBody(entry))
        case .receipt(let receipt): self.init(at: item.at, receipt: StoredReceiptBody(receipt))
        case .order(let order): self.init(at: item.at, order: OrderBody(order, at: now))
        case .note(let note): self.init(at: item.at, note: CustomerNoteBody(note))
        }
    }
}

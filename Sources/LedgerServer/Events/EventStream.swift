import Hummingbird
import Ledger
import LedgerWire

/// Sends events one by one, as server-sent events (WHATWG HTML, "Server-sent events").
///
/// Each has its number as id, so a client that connects again goes on after the last one that it got.
struct EventStream: Sendable {
    let query: EventsQuery
    let events: Events
    let readers: EventReaders
    /// Kept until the stream ends.
    let place: EventReaders.Place

    /// How long the stream is silent at most, so that proxies keep it open and a lost client is noticed.
    private static let silence: Duration = .seconds(15)

    /// The response that sends events until the client closes the connection or the service stops.
    func response(to request: Request) -> Response {
        Response(
            status: .ok,
            // The connection is read until the client closes it, so it can't serve another request.
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close"],
            body: ResponseBody { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in try await send(to: &writer) }
                try await writer.finish(nil)
            })
    }

    private func send(to writer: inout any ResponseBodyWriter) async throws {
        var last = query.after
        // The client learns at once that the stream is open.
        try await writer.write(Self.place(last))
        while !readers.isClosed {
            let page = try await events.list(after: last, query.filter, limit: query.limit)
            if !page.events.isEmpty { try await writer.write(try Self.text(of: page.events)) }
            let isMoved = page.next > last
            last = page.next
            if page.hasMore { continue }
            await readers.wait(after: last, atMost: Self.silence)
            try Task.checkCancellation()
            if page.events.isEmpty || !isMoved { try await writer.write(Self.place(last)) }
        }
    }

    /// An id without data: the client's place moves on, and nothing is told.
    private static func place(_ seq: Int64) -> ByteBuffer { ByteBuffer(string: "id: \(seq)\n\n") }

    private static func text(of events: [Event]) throws -> ByteBuffer {
        var text = ByteBuffer()
        for event in events {
            text.writeString("id: \(event.seq)\nevent: \(event.type.rawValue)\ndata: ")
            text.writeImmutableBuffer(try AnswerJSON.encode(EventBody(event)))
            text.writeString("\n\n")
        }
        return text
    }
}

import Hummingbird
import Ledger
import LedgerWire
import Timing
import WireFormats

/// What happened, in order.
struct EventsController: Sendable {
    let events: Events
    let readers: EventReaders

    /// `GET /v1/events`: events after a number; waits for the next one with `wait`, or sends them one by one.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let query = try EventsQuery(request)
        if query.isStream {
            return EventStream(query: query, events: events, readers: readers, place: try readers.enter())
                .response(to: request)
        }
        guard query.wait > .zero else { return try Response(json: EventPageBody(try await read(query))) }
        let place = try readers.enter()
        let page = try await request.body.consumeWithCancellationOnInboundClose { _ in try await wait(query, place) }
        // The connection is read until the client closes it, so it can't serve another request.
        return try Response(headers: [.connection: "close"], json: EventPageBody(page))
    }

    /// `GET /v1/events/{seq}`: one event.
    func find(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let seq = Self.seq(context), let event = try await events.find(seq) else { throw Problem(.notFound) }
        return try Response(json: EventBody(event))
    }

    /// `GET /v1/events/{seq}/lots`: all lots that the event is about; the event itself has the first 1,000.
    func lots(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: EventLotCursor.self)
        guard let seq = Self.seq(context),
            let found = try await events.lots(of: seq, after: page.after, limit: page.limit)
        else { throw Problem(.notFound) }
        return try page.answer(LotUseBody.listName, found.elements.map(LotUseBody.init), next: found.next)
    }

    private static func seq(_ context: LedgerdRequestContext) -> Int64? {
        context.parameters.get("seq").flatMap { Int64(digits: $0) }
    }

    private func read(_ query: EventsQuery) async throws -> EventPage {
        try await events.list(after: query.after, query.filter, limit: query.limit)
    }

    /// The first page with events, or an empty one when the time is over.
    private func wait(_ asked: EventsQuery, _: EventReaders.Place) async throws -> EventPage {
        var query = asked
        let deadline = Time.current.instant + query.wait
        while true {
            let page = try await read(query)
            if !page.events.isEmpty || deadline <= Time.current.instant || readers.isClosed { return page }
            query.after = page.next
            if page.hasMore { continue }
            await readers.wait(after: page.next, atMost: deadline - Time.current.instant)
            try Task.checkCancellation()
        }
    }
}

/// The query of `GET /v1/events`.
struct EventsQuery: Sendable {
    /// Only events after this number.
    var after: Int64
    let filter: EventFilter
    /// The most events of a page.
    let limit: Int
    /// How long to wait for an event.
    let wait: Duration
    /// Whether the client wants server-sent events.
    let isStream: Bool

    /// The longest wait, in seconds.
    private static let longestWait: Int64 = 60

    init(_ request: Request) throws(Problem) {
        let query = try request.query("after", "types", "user", "limit", "wait")
        isStream = request.headers[.accept]?.contains("text/event-stream") ?? false
        let after = try query.parsed("after", "an integer, 0 or more") { Int64(digits: $0) } ?? 0
        let lastEventID = try Self.lastEventID(of: request)
        // A browser that connects again sends the id of the last event with the same URL.
        self.after = isStream ? lastEventID ?? after : after
        limit = Int(try query.whole("limit", 1...Int64(Events.mostInPage)) ?? 100)
        wait = .seconds(try query.whole("wait", 0...Self.longestWait) ?? 0)
        filter = EventFilter(
            types: try query.parsed("types", "event types, separated by commas", Self.types) ?? [],
            user: try query.parsed("user", UserID.rule, UserID.init(rawValue:)))
    }

    private static func lastEventID(of request: Request) throws(Problem) -> Int64? {
        guard let text = request.headers[.lastEventID] else { return nil }
        guard let seq = Int64(digits: text) else {
            throw .invalid(member: "Last-Event-ID", "Last-Event-ID must be an integer, 0 or more")
        }
        return seq
    }

    private static func types(_ text: String) -> [EventType]? {
        let types = text.split(separator: ",", omittingEmptySubsequences: false).map {
            EventType(rawValue: String($0))
        }
        return types.allSatisfy(EventType.all.contains) ? types : nil
    }
}

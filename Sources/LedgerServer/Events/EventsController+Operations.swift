import LedgerWire

extension EventsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "readEvents", "/v1/events", .events, .events,
                "Read what happened, in order; wait for what happens next",
                """
                Events are numbered 1, 2, 3, … without gaps; a number is never changed or given twice. To go on, \
                send `next` of the page as `after`. With `wait`, an empty page comes only when the time is over. \
                With `Accept: text/event-stream` the response is a stream of server-sent events without end: `id` is \
                the number, `event` the type, `data` the event; a client that connects again sends `Last-Event-ID`.
                """,
                parameters: [
                    .query("after", .whole(0..., default: 0), "only events after this number"),
                    .query(
                        "types", .text(pattern: "^[a-z_.]+(,[a-z_.]+)*$", examples: ["purchase.credited,coins.spent"]),
                        "only events of these types, separated by commas"),
                    .query("user", .text(1...128), "only this user's events"),
                    .query("limit", .count(1...1000, default: 100), "the maximum number of events"),
                    .query(
                        "wait", .count(0...60, default: 0), "how many seconds to wait for an event if there is none"),
                    .header(
                        "Last-Event-ID", .text(pattern: "^[0-9]{1,18}$"),
                        "for a stream, the same as `after`: the number of the last event that the client got"),
                ],
                answers: [.ok(EventPageBody.self, "The events.")])
        ) { $0.list },
        Route(
            .read(
                "getEvent", "/v1/events/{seq}", .events, .events,
                "Show an event",
                parameters: [.path("seq", .id, "the number of the event", example: 1)],
                answers: [.ok(EventBody.self, "The event.")],
                refusals: [.notFound])
        ) { $0.find },
        Route(
            .list(
                "getEventLots", "/v1/events/{seq}/lots", .events, .events,
                "List all lots that an event is about",
                "In the order of the event, which itself has no more than 1,000.",
                parameters: [.path("seq", .id, "the number of the event", example: 1)],
                page: ListBody<LotUseBody>.self,
                refusals: [.notFound])
        ) { $0.lots },
    ]

    static func make(with deps: Deps) throws -> Self? {
        EventsController(events: deps.ledger.events, readers: deps.readers)
    }
}

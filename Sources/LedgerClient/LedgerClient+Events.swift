// Calls for services that follow what happens. The token needs the scope `events`.
extension LedgerClient {
    /// Everything that happens, in order, without end.
    ///
    /// ```swift
    /// for try await event in client.events(after: place) {
    ///     try handle(event)
    ///     place = event.seq  // store it together with what the event changed
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - seq: the number of the last event that was handled; 0 for all events of the ledger.
    ///   - types: only these types, such as `purchase.credited`; empty for all.
    ///   - user: only this user's events; nil for everybody's.
    public func events(after seq: Int64 = 0, types: [String] = [], user: String? = nil) -> EventSequence {
        EventSequence(first: seq) { after in
            var query = [("after", "\(after)"), ("limit", "500"), ("wait", "\(Self.eventWait)")]
            if !types.isEmpty { query.append(("types", types.joined(separator: ","))) }
            if let user { query.append(("user", user)) }
            return try await send(.get(["events"], query: query))
        }
    }

    /// The event with this number.
    public func event(_ seq: Int64) async throws -> EventBody { try await send(.get(["events", "\(seq)"])) }

    /// The lots that an event is about, of which the event itself has no more than 1,000.
    ///
    /// - Parameter pageSize: how many are loaded at a time: 1 to 100.
    public func lots(ofEvent seq: Int64, pageSize: Int = 100) -> Listing<LotUseBody> {
        listing(["events", "\(seq)", "lots"], pageSize: pageSize)
    }

    /// The number of seconds that the service waits for an event: less than the shortest usual timeout of a client.
    private static let eventWait = 10
}

/// Everything that happens, loaded page after page; waits for more after the last event.
///
/// An iteration that throws can be begun again after the last event that it returned.
public struct EventSequence: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = EventBody

    let first: Int64
    let fetch: @Sendable (_ after: Int64) async throws -> EventPageBody

    /// Starts at the first event after the given number.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(last: first, fetch: fetch) }

    /// An iteration over events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var last: Int64
        private var rest: ArraySlice<EventBody> = []
        private let fetch: @Sendable (_ after: Int64) async throws -> EventPageBody

        fileprivate init(last: Int64, fetch: @escaping @Sendable (_ after: Int64) async throws -> EventPageBody) {
            self.last = last
            self.fetch = fetch
        }

        /// The next event; waits until there is one.
        public mutating func next() async throws -> EventBody? {
            while rest.isEmpty {
                try Task.checkCancellation()
                let page = try await fetch(last)
                rest = page.events[...]
                last = page.next
            }
            return rest.popFirst()
        }
    }
}

/// Payments, as a gateway lists them.
package typealias PaymentWalk = GatewayWalk<GatewayPayment>

/// What a gateway lists page by page; each element is told once.
///
/// Pages move while they are read: a payment met again, on another page or in another status, is left out. One that can't
/// be read ends the walk with its error, but not before all others were told.
package struct GatewayWalk<Element: Sendable>: AsyncSequence, Sendable {
    /// A page that couldn't be had ends the walk.
    package typealias Failure = GatewayError

    /// Some elements, and where to go on.
    package struct WalkPage: Sendable {
        /// The elements, in the gateway's order.
        package var elements: [Element]
        /// What the page lists besides and can't be read.
        package var unreadable: [UnreadableElement]
        /// The place where the walk goes on; nil at the end.
        package var next: String?

        init(_ read: ReadElements<Element>, next: String?) {
            elements = read.readable
            unreadable = read.unreadable
            self.next = next
        }
    }

    /// The page at a place; the first for nil.
    typealias Turn = @Sendable (_ place: String?) async throws(GatewayError) -> WalkPage

    private let id: @Sendable (Element) -> String
    private let turn: Turn

    /// `id` tells elements apart.
    init(by id: @escaping @Sendable (Element) -> String, _ turn: @escaping Turn) {
        self.id = id
        self.turn = turn
    }

    /// The page at a place that an earlier one told; the first for nil.
    ///
    /// For who keeps the place, to go on after a crash. What was told before may be told again.
    ///
    /// - Throws: ``GatewayError`` when it can't be had.
    package func page(at place: String?) async throws(GatewayError) -> WalkPage {
        var page = try await turn(place)
        // A place that doesn't move would be walked for ever.
        if page.next == place { page.next = nil }
        return page
    }

    /// Begins at the first page.
    package func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Fetches a page when the one before is told.
    package struct Iterator: AsyncIteratorProtocol {
        private let walk: GatewayWalk
        private var place: String?
        private var isAtEnd = false
        private var page: [Element] = []
        private var told: Set<String> = []
        private var unreadable: UnreadableElement?

        init(_ walk: GatewayWalk) {
            self.walk = walk
        }

        /// The next element; nil at the end.
        ///
        /// - Throws: ``GatewayError`` when a page can't be had, and at the end when an element can't be read.
        package mutating func next() async throws(GatewayError) -> Element? {
            try await next(isolation: nil)
        }

        /// The next element; nil at the end.
        ///
        /// - Throws: ``GatewayError`` when a page can't be had.
        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(GatewayError) -> Element? {
            while true {
                while let element = page.popLast() {
                    if told.insert(walk.id(element)).inserted { return element }
                }
                guard !isAtEnd else {
                    defer { unreadable = nil }
                    if let unreadable { throw unreadable.error }
                    return nil
                }
                try await turnPage(isolation: actor)
            }
        }

        private mutating func turnPage(isolation: isolated (any Actor)?) async throws(GatewayError) {
            let next = try await walk.page(at: place)
            page = next.elements.reversed()
            unreadable = unreadable ?? next.unreadable.first
            isAtEnd = next.next == nil
            place = next.next
        }
    }
}

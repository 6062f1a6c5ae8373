/// A gateway's list of payments.
package typealias PaymentWalk = GatewayWalk<GatewayPayment>

/// A gateway's paged list; each element occurs once.
///
/// Pages shift while they are read: a payment that appears again, on another page or with another status, is skipped.
/// An unreadable payment ends the walk with its error, after all others.
package struct GatewayWalk<Element: Sendable>: AsyncSequence, Sendable {
    /// A page that can't be fetched ends the walk.
    package typealias Failure = GatewayError

    /// Some elements and the next place.
    package struct WalkPage: Sendable {
        /// The elements, in the gateway's order.
        package var elements: [Element]
        /// The unreadable elements of the page.
        package var unreadable: [UnreadableElement]
        /// The next place; nil at the end.
        package var next: String?
        /// The number of elements in the whole list; nil if the gateway doesn't tell.
        package var total: Int?

        init(_ read: ReadElements<Element>, next: String?, total: Int? = nil) {
            elements = read.readable
            unreadable = read.unreadable
            self.next = next
            self.total = total
        }
    }

    /// The page at a place; the first for nil.
    typealias Turn = @Sendable (_ place: String?) async throws(GatewayError) -> WalkPage

    private let id: @Sendable (Element) -> String
    private let turn: Turn

    /// `id` identifies an element.
    init(by id: @escaping @Sendable (Element) -> String, _ turn: @escaping Turn) {
        self.id = id
        self.turn = turn
    }

    /// The page at a place from an earlier page; nil for the first.
    ///
    /// For callers that store the place and continue after a crash. Earlier elements can occur again.
    ///
    /// - Throws: ``GatewayError`` if it can't be fetched.
    package func page(at place: String?) async throws(GatewayError) -> WalkPage {
        var page = try await turn(place)
        // The walk would never end at a place that repeats.
        if page.next == place { page.next = nil }
        return page
    }

    /// Starts at the first page.
    package func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Fetches a page after the previous one is consumed.
    package struct Iterator: AsyncIteratorProtocol {
        private let walk: GatewayWalk
        private var place: String?
        private var isAtEnd = false
        private var page: [Element] = []
        private var returned: Set<String> = []
        private var unreadable: UnreadableElement?

        init(_ walk: GatewayWalk) {
            self.walk = walk
        }

        /// The next element; nil at the end.
        ///
        /// - Throws: ``GatewayError`` if a page can't be fetched, and at the end if an element can't be read.
        package mutating func next() async throws(GatewayError) -> Element? {
            try await next(isolation: nil)
        }

        /// The next element; nil at the end.
        ///
        /// - Throws: ``GatewayError`` if a page can't be fetched.
        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(GatewayError) -> Element? {
            while true {
                while let element = page.popLast() {
                    if returned.insert(walk.id(element)).inserted { return element }
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

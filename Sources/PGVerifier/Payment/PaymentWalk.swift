/// Payments as they are listed page by page; each is told once.
///
/// Pages move while they are read: a payment met again, on another page or in another status, is left out.
public struct PaymentWalk: AsyncSequence, Sendable {
    /// A payment.
    public typealias Element = GatewayPayment
    /// A page that couldn't be had ends the walk.
    public typealias Failure = GatewayError

    /// Some payments, and where to go on; nil at the end.
    struct Page: Sendable {
        var payments: [GatewayPayment]
        var next: String?
    }

    /// The page at a place; the first for nil.
    typealias Turn = @Sendable (_ place: String?) async throws(GatewayError) -> Page

    private let turn: Turn

    init(_ turn: @escaping Turn) {
        self.turn = turn
    }

    /// Begins at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(turn) }

    /// Fetches a page when the one before is told.
    public struct Iterator: AsyncIteratorProtocol {
        private let turn: Turn
        private var place: String?
        private var isAtEnd = false
        private var page: [GatewayPayment] = []
        private var told: Set<String> = []

        init(_ turn: @escaping Turn) {
            self.turn = turn
        }

        /// The next payment; nil at the end.
        ///
        /// - Throws: ``GatewayError`` when a page can't be had.
        public mutating func next() async throws(GatewayError) -> GatewayPayment? {
            try await next(isolation: nil)
        }

        /// The next payment; nil at the end.
        ///
        /// - Throws: ``GatewayError`` when a page can't be had.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(GatewayError) -> GatewayPayment? {
            while true {
                while let payment = page.popLast() {
                    if told.insert(payment.impUID).inserted { return payment }
                }
                guard !isAtEnd else { return nil }
                try await turnPage(isolation: actor)
            }
        }

        private mutating func turnPage(isolation: isolated (any Actor)?) async throws(GatewayError) {
            let next = try await turn(place)
            page = next.payments.reversed()
            // A place that doesn't move would be walked for ever.
            isAtEnd = next.next == nil || next.next == place
            place = next.next
        }
    }
}

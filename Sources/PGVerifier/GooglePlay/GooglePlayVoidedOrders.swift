import Batching
import Timing

/// The orders of purchases that Google lists as taken back: one walk for all who search.
///
/// Google allows 6,000 pages a day. A walk is kept for a minute a page, so searching takes at most 1,440 of them.
actor GooglePlayVoidedOrders: SharesOutcome {
    /// What a walk found.
    struct Listed {
        var orders: [PurchaseToken: GooglePlayOrderID] = [:]
        var pages = 0
    }

    typealias Value = Listed

    private static let agePerPage = Duration.seconds(60)

    private let time: Time
    private var listed = Listed()
    private var freshUntil: ContinuousClock.Instant?
    private var isWalking = false
    var waiters = Waiters<Outcome, Never>()

    init(time: Time) {
        self.time = time
    }

    /// The order of a purchase that was taken back; nil: it is not there, or has none.
    ///
    /// - Parameter walk: walks the list; it outlives a caller that leaves.
    /// - Throws: ``GatewayError`` of the walk.
    func order(
        of token: PurchaseToken, _ walk: @escaping @Sendable () async -> Outcome
    ) async throws(GatewayError) -> GooglePlayOrderID? {
        if let freshUntil, time.instant < freshUntil { return listed.orders[token] }
        if !isWalking {
            isWalking = true
            let start = time.instant
            Task { finish(await walk(), since: start) }
        }
        return try await sharedOutcome().get().orders[token]
    }

    private func finish(_ outcome: Outcome, since start: ContinuousClock.Instant) {
        isWalking = false
        if case .success(let listed) = outcome {
            self.listed = listed
            freshUntil = start + Self.agePerPage * listed.pages
        }
        share(outcome)
    }
}

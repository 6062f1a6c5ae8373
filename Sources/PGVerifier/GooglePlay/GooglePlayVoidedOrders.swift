import Batching
import Timing

/// The orders of purchases that Google lists as taken back: one walk for all who search.
///
/// Google allows 6,000 pages a day. A walk is kept for a minute a page, so searching takes at most 1,440 of them. A failure is kept,
/// too, so that not every caller begins a walk that fails.
actor GooglePlayVoidedOrders: SharesOutcome {
    /// What a walk found.
    struct Listed {
        var orders: [PurchaseToken: GooglePlayOrderID] = [:]
        var pages = 0
    }

    typealias Value = Listed

    private static let agePerPage = Duration.seconds(60)
    private static let ageOfFailure = Duration.seconds(20)

    private let time: Time
    private var last: (outcome: Outcome, freshUntil: ContinuousClock.Instant)?
    private var isWalking = false
    var waiters = Waiters<Outcome, Never>()

    init(time: Time) {
        self.time = time
    }

    /// The order of a purchase that was taken back; nil: it is not there, or has none.
    ///
    /// - Parameter walk: walks the list; it outlives a caller that leaves.
    /// - Throws: ``GatewayError`` of the walk, or of one that failed just before.
    func order(
        of token: PurchaseToken, _ walk: @escaping @Sendable () async -> Outcome
    ) async throws(GatewayError) -> GooglePlayOrderID? {
        if let last, time.instant < last.freshUntil { return try last.outcome.get().orders[token] }
        if !isWalking {
            isWalking = true
            let start = time.instant
            Task { finish(await walk(), since: start) }
        }
        return try await sharedOutcome().get().orders[token]
    }

    private func finish(_ outcome: Outcome, since start: ContinuousClock.Instant) {
        isWalking = false
        let freshUntil =
            switch outcome {
            case .success(let listed): start + Self.agePerPage * listed.pages
            case .failure: time.instant + Self.ageOfFailure
            }
        last = (outcome, freshUntil)
        share(outcome)
    }
}

import FoundationEssentials
import SandboxSupport

/// Google Play's purchases of one app.
actor PlayState {
    private var purchases: [String: PlayPurchase] = [:]
    /// The tokens in order of creation.
    private var tokens: [String] = []
    private var tokensByOrder: [String: String] = [:]
    /// The voided purchases in the order in which Google saw them.
    private(set) var voids: [PlayVoid] = []
    private var mint = PlayIdentifiers()

    // MARK: Look-ups

    /// - Throws: ``GoogleRefusal`` if there is none, or none any more.
    func purchase(_ token: String) throws(GoogleRefusal) -> PlayPurchase {
        guard let found = purchases[token] else { throw .tokenNotFound }
        if let refusal = found.refusal { throw refusal }
        return found
    }

    /// - Throws: ``GoogleRefusal`` if there is none.
    func purchase(ofOrder orderID: String) throws(GoogleRefusal) -> PlayPurchase {
        guard let token = tokensByOrder[orderID], let found = purchases[token] else { throw .orderNotFound }
        return found
    }

    /// Every purchase, the oldest first.
    var inOrder: [PlayPurchase] { tokens.compactMap { purchases[$0] } }

    // MARK: Changes

    /// Makes a purchase.
    ///
    /// - Throws: ``ControlError`` if its token or its order id is taken.
    func buy(_ draft: PlayPurchaseDraft, now: Date) throws(ControlError) -> PlayPurchase {
        let token = draft.token ?? mint.token()
        guard purchases[token] == nil else { throw ControlError(.conflict, "purchase_token", "is already taken") }
        let orderID = draft.hasOrder ? draft.orderID ?? mint.orderID() : nil
        if let orderID, tokensByOrder[orderID] != nil {
            throw ControlError(.conflict, "order_id", "is already taken")
        }
        tokens.append(token)
        return keep(draft.purchase(token: token, orderID: orderID, now: now))
    }

    /// Changes a purchase.
    ///
    /// - Throws: what `change` throws, and ``ControlError`` when there is none.
    func change(
        _ token: String,
        _ change: (inout PlayPurchase, inout PlayIdentifiers) throws(ControlError) -> PlayChange.Effect
    ) throws(ControlError) -> (purchase: PlayPurchase, effect: PlayChange.Effect) {
        guard var purchase = purchases[token] else { throw ControlError(.notFound, "purchase_token", "isn't known") }
        let effect = try change(&purchase, &mint)
        _ = keep(purchase)
        if let void = effect.void { voids.append(void.record(of: purchase)) }
        return (purchase, effect)
    }

    /// Changes a purchase through the API.
    ///
    /// - Throws: what `change` throws, and ``GoogleRefusal`` when there is none or it is busy.
    func call(
        _ token: String, _ change: (inout PlayPurchase) throws(GoogleRefusal) -> Void
    ) throws(GoogleRefusal) {
        var purchase = try purchase(token)
        guard purchase.busyCalls == 0 else {
            purchase.busyCalls -= 1
            _ = keep(purchase)
            throw .concurrentUpdate
        }
        try change(&purchase)
        _ = keep(purchase)
    }

    /// Lists a purchase as voided.
    func add(_ void: PlayVoid) { voids.append(void) }

    /// Takes back what nobody acknowledged in time, where `limit` is the time for a purchase.
    ///
    /// - Returns: the purchases that were taken back, and when the next one will be.
    func voidUnacknowledged(
        now: Date, _ limit: (PlayPurchase) -> Double
    ) -> (voided: [PlayPurchase], nextAt: Date?) {
        let waiting = purchases.values.filter(\.awaitsAcknowledgement).map { purchase in
            (purchase, (purchase.completedAt ?? purchase.createdAt).addingTimeInterval(limit(purchase)))
        }.sorted { $0.1 < $1.1 }
        let nextAt = waiting.first { $0.1 > now }?.1
        var voided: [PlayPurchase] = []
        for (var purchase, end) in waiting where end <= now {
            purchase.refundAll(isRevoked: true, now: end)
            voided.append(keep(purchase))
            voids.append(
                PlayVoid(
                    purchase: purchase, voidedAt: end, seenAt: end, reason: PlayVoid.unacknowledged,
                    source: PlayVoid.byGoogle, quantity: nil))
        }
        return (voided, nextAt)
    }

    private func keep(_ purchase: PlayPurchase) -> PlayPurchase {
        purchases[purchase.token] = purchase
        if let orderID = purchase.orderID { tokensByOrder[orderID] = purchase.token }
        return purchase
    }
}

/// Makes ids as Google's look: by chance, so that they do not repeat after a restart.
struct PlayIdentifiers: Sendable {
    private var generator = SystemRandomNumberGenerator()

    private static let lower = Array("abcdefghijklmnop")
    private static let any = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    mutating func token() -> String { text(24, of: Self.lower) + ".AO-J1O" + text(104, of: Self.any) }

    mutating func orderID() -> String {
        "GPA." + [4, 4, 4, 5].map { text($0, of: Array("0123456789")) }.joined(separator: "-")
    }

    mutating func reviewToken() -> String { text(64, of: Self.any) }

    private mutating func text(_ count: Int, of characters: [Character]) -> String {
        String((0..<count).map { _ in characters[Int.random(in: characters.indices, using: &generator)] })
    }
}

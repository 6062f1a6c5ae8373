import Ledger
import Logging
import Metrics
import ServiceLifecycle

/// Expires due holds and lots, and records the orders that have expired.
///
/// Several processes can do this at the same time; each hold or lot expires once.
struct ExpiryService: Service {
    let ledger: Ledger
    let logger: Logger

    /// The maximum number of items at a time: the size of a posting batch.
    private static let batch = 1024
    /// Debts that can be paid are seldom, so they are looked for once a minute.
    private static let turnsADebt = 60

    /// Runs until the service shuts down.
    func run() async throws {
        let repetition = Repetition(
            pause: .seconds(1), longestPause: .seconds(30), failure: "can't expire holds and lots now", logger: logger)
        var turn = 0
        var mayOweMore = false
        await repetition.run {
            if mayOweMore || turn % Self.turnsADebt == 0 { mayOweMore = try await payDebts() }
            turn += 1
            return try await expireDue() || mayOweMore ? .atOnce : .afterPause
        }
    }

    /// - Returns: whether more items can be due.
    private func expireDue() async throws -> Bool {
        let holds = try await ledger.holds.listDue(limit: Self.batch, unreadable: logUnreadable).map { hold in
            ExpireHold(user: hold.user, holdID: hold.id)
        }
        let expiredHolds = try await expire(holds, "holds")
        let lots = try await ledger.lots.listDue(limit: Self.batch, unreadable: logUnreadable).map { lot in
            ExpireLot(user: lot.user, lotID: lot.id)
        }
        let expiredLots = try await expire(lots, "lots")
        let expiredOrders = try await ledger.orders.recordExpired(limit: Self.batch)
        return expiredHolds > 0 && holds.count == Self.batch || expiredLots > 0 && lots.count == Self.batch
            || expiredOrders >= Self.batch
    }

    /// Pays debts from available coins: of older versions' books, and of users whose coins lie in too many lots for the
    /// act that made them usable.
    ///
    /// - Returns: whether more debts can be paid.
    private func payDebts() async throws -> Bool {
        let users = try await ledger.debts.listPayable(limit: Self.batch)
        var coins: Int64 = 0
        for user in users {
            if case .done(let paid) = try await ledger.submit(PayDebt(user: user)).outcome { coins += paid.coins }
        }
        if coins > 0 { logger.info("paid debts from available coins", metadata: ["users": "\(users.count)"]) }
        return coins > 0
    }

    private func logUnreadable(_ id: Int64, _ error: any Error) {
        logger.error("can't read a due hold or lot", metadata: ["id": "\(id)", "error": "\(error)"])
    }

    /// Submits the acts together, so that they share batches.
    ///
    /// An act that fails does not stop the others.
    ///
    /// - Returns: the number of expired items.
    private func expire(_ acts: [some Act], _ what: String) async throws -> Int {
        var expired = 0
        for outcome in await ledger.submitTogether(acts) {
            switch outcome {
            case .success(let answer): expired += answer.isRepeat ? 0 : 1
            case .failure(let error) where error.code == .fault || error.code == .invalid:
                logger.error("can't expire an item", metadata: ["what": "\(what)", "error": "\(error)"])
            case .failure(let error): throw error
            }
        }
        guard expired > 0 else { return 0 }
        Counter(label: "ledgerd_expired_total", dimensions: [("what", what)]).increment(by: expired)
        logger.info("expired", metadata: ["what": "\(what)", "count": "\(expired)"])
        return expired
    }
}

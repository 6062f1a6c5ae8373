import Ledger
import Logging
import Metrics
import ServiceLifecycle

/// Has holds and lots expire when their time is up.
///
/// Several processes may do it at once: a hold or a lot expires once, whoever says so.
struct ExpiryService: Service {
    let ledger: Ledger
    let logger: Logger

    /// How many are taken at a time: as many as one batch of the ledger holds.
    private static let batch = 1024

    /// Works until the service shuts down.
    func run() async throws {
        let repetition = Repetition(
            pause: .seconds(1), longestPause: .seconds(30), failure: "what is due can't expire now", logger: logger)
        var areDebtsPaid = false
        await repetition.run {
            if !areDebtsPaid { areDebtsPaid = try await payDebts() }
            return try await expireDue() ? .atOnce : .afterPause
        }
    }

    /// - Returns: whether more may be due.
    private func expireDue() async throws -> Bool {
        let holds = try await ledger.holds.listDue(limit: Self.batch, unreadable: tell).map { hold in
            ExpireHold(user: hold.user, holdID: hold.id)
        }
        let expiredHolds = try await expire(holds, "holds")
        let lots = try await ledger.lots.listDue(limit: Self.batch, unreadable: tell).map { lot in
            ExpireLot(user: lot.user, lotID: lot.id)
        }
        let expiredLots = try await expire(lots, "lots")
        return expiredHolds > 0 && holds.count == Self.batch || expiredLots > 0 && lots.count == Self.batch
    }

    /// Pays debts of books from before every act did so.
    ///
    /// - Returns: whether none may be left.
    private func payDebts() async throws -> Bool {
        let users = try await ledger.debts.listPayable(limit: Self.batch)
        for user in users { _ = try await ledger.submit(PayDebt(user: user)) }
        if !users.isEmpty { logger.info("paid debts out of coins", metadata: ["users": "\(users.count)"]) }
        return users.count < Self.batch
    }

    private func tell(_ id: Int64, _ error: any Error) {
        logger.error("one that is due can't be read", metadata: ["id": "\(id)", "error": "\(error)"])
    }

    /// Submits the acts together, so that they share batches; one that fails alone holds nobody else up.
    ///
    /// - Returns: how many have expired.
    private func expire(_ acts: [some Act], _ what: String) async throws -> Int {
        let outcomes = await withTaskGroup(of: Result<Bool, LedgerError>.self) { group in
            for act in acts {
                group.addTask {
                    do throws(LedgerError) {
                        return .success(try await !ledger.submit(act).isRepeat)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var expired = 0
        for outcome in outcomes {
            switch outcome {
            case .success(let isNew): expired += isNew ? 1 : 0
            case .failure(let error) where error.code == .fault || error.code == .invalid:
                logger.error("one can't expire", metadata: ["what": "\(what)", "error": "\(error)"])
            case .failure(let error): throw error
            }
        }
        guard expired > 0 else { return 0 }
        Counter(label: "ledgerd_expired_total", dimensions: [("what", what)]).increment(by: expired)
        logger.info("expired", metadata: ["what": "\(what)", "count": "\(expired)"])
        return expired
    }
}

import Foundation
import Postgres

/// A batch's two round trips: ``load(_:ids:)`` before it is planned, ``store(_:)`` after.
///
/// Between the two the touched accounts are locked, so what was loaded stays true until the commit.
struct BatchStore {
    let connection: PostgresConnection
    let chart: SystemChart
    let lotOrder: LotOrder

    /// Begins the transaction, locks the accounts and reads all that the commands name.
    ///
    /// One round trip, and another for refunds.
    ///
    /// What is open stays so until the commit, for whoever closes the books waits.
    ///
    /// System accounts are locked first, by id, the stripes' locks among them. From then on no other writer opens or
    /// posts to an account of these stripes, so nothing deadlocks. Users' accounts are read by the next statement: a
    /// statement sees no row that was inserted while it waited itself, but all that was while the one before it did.
    func load(_ commands: [Command], ids: RecordIDs) async throws(PostgresError) -> Snapshot {
        let holdIDs = commands.compactMap(\.holdID)
        let settlements = commands.compactMap(\.settlement)
        let choosers = Set(commands.compactMap(\.chooser))
        let payers = Set(commands.compactMap(\.payer)).subtracting(choosers)
        let (
            _, openFrom, blocks, systemAccounts, userAccounts, purchases, takenBack, chosen, named, holds, holdLots,
            settlementRows,
            recorded, now
        ) = try await connection.pipeline(
            PostgresQuery<Int>.affected("BEGIN ISOLATION LEVEL READ COMMITTED"),
            ClosedPeriod.openFrom,
            Self.takeBlocks(ids.blocksMissing(for: commands.count * Plan.mostIDs)),
            Account.lock(ids: chart.ids(touchedBy: commands)),
            Account.lock(codes: userAccountCodes(of: commands)),
            Purchase.sharing(commands.compactMap(\.payment)),
            Lot.open(of: commands.compactMap(\.takenBack)),
            Lot.open(of: Array(choosers), orIfInDebt: Array(payers)),
            Lot.find(commands.compactMap(\.lotID), ofHolds: holdIDs),
            Hold.find(holdIDs),
            HoldLot.of(holdIDs),
            SettlementRow.of(settlements.map(\.rowID), settlements.map(\.payment)),
            RecordedOutcome.under(commands.compactMap { $0.keyed?.idempotencyKey }),
            Self.clock)

        let (ofRefunds, refunds, ofRefundedPurchases) = try await loadRefunds(of: commands)
        var snapshot = Snapshot(
            stripes: chart.stripes, now: now.first ?? Date(), openFrom: openFrom, lotOrder: lotOrder,
            purchases: purchases + ofRefunds,
            lots: takenBack + chosen + named + ofRefundedPurchases, holds: holds, holdLots: holdLots, refunds: refunds,
            settlementRows: settlementRows, ids: ids)
        snapshot.ids.add(blocksFrom: blocks)
        for account in systemAccounts { snapshot.accounts[account.code] = account }
        for account in userAccounts { snapshot.accounts[account.code] = account }
        for outcome in recorded { snapshot.recorded[outcome.key] = outcome }
        return snapshot
    }

    /// Reads the refunds that commands name or must not run into, with their purchases.
    ///
    /// A round trip of its own, which the many batches without such commands are spared.
    private func loadRefunds(
        of commands: [Command]
    ) async throws(PostgresError) -> (purchases: [Purchase], refunds: [Refund], expired: [Lot]) {
        let purchaseIDs = commands.compactMap(\.purchaseID)
        let refundIDs = commands.compactMap(\.refundID)
        let takenBack = commands.compactMap(\.takenBack)
        guard !purchaseIDs.isEmpty || !refundIDs.isEmpty || !takenBack.isEmpty else { return ([], [], []) }
        return try await connection.pipeline(
            Purchase.find(purchaseIDs, ofRefunds: refundIDs),
            Refund.find(refundIDs, pendingOf: purchaseIDs, and: takenBack), Lot.expired(ofPurchases: purchaseIDs))
    }

    /// Writes the plan and commits.
    ///
    /// One round trip; only after its reply is any of it true.
    ///
    /// Only what happened is written; the totals of it are the database's to write. What others are judged against goes
    /// before them: accounts and entries before postings, lots and holds before what becomes of them.
    func store(_ plan: Plan) async throws(PostgresError) {
        var statements: [PostgresQuery<Int>] = []
        func write<Row>(_ rows: [Row], _ statement: ([Row]) -> PostgresQuery<Int>) {
            if !rows.isEmpty { statements.append(statement(rows)) }
        }
        write(plan.openedAccounts, Account.insert)
        write(plan.entries, JournalEntry.insert)
        write(plan.postings, Posting.insert)
        write(plan.newPurchases) { purchases in
            Purchase.insert(purchases, stripes: purchases.map { plan.stripe(of: $0.user) })
        }
        write(plan.newLots, Lot.insert)
        write(plan.movements, LotMovement.insert)
        write(plan.newHolds) { holds in Hold.insert(holds, stripes: holds.map { plan.stripe(of: $0.user) }) }
        write(plan.newHoldLots, HoldLot.insert)
        write(plan.holdEvents, HoldEvent.insert)
        write(plan.reversals, PurchaseReversal.insert)
        write(plan.refunds.new) { refunds in
            Refund.insert(refunds, stripes: refunds.map { plan.stripe(of: $0.refund.user) })
        }
        write(plan.refunds.decisions, RefundDecision.insert)
        write(plan.changedSettlementRows, SettlementRow.update)
        write(plan.recorded) { RecordedOutcome.insert($0, at: plan.recordedAt) }
        statements.append(.affected("COMMIT"))
        _ = try await connection.pipeline(statements)
    }

    /// Ends a transaction that failed, so that the connection can be used again.
    func rollBack() async throws(PostgresError) {
        _ = try await connection.run(PostgresQuery<Int>.affected("ROLLBACK"))
    }

    /// Has the server plan the session's statements anew, for tables as they are now.
    func discardPlans() async throws(PostgresError) {
        try await connection.execute("DISCARD PLANS")
    }

    private static let clock = PostgresQuery("SELECT clock_timestamp()", []) { row in
        try row.decode(0, as: Date.self)
    }

    private static func takeBlocks(_ count: Int64) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT nextval('record_id') FROM generate_series(1, $1)", [count]) { row in
            try row.decode(0, as: Int64.self)
        }
    }

    /// The accounts of the commands' users, and of the providers who earn of them.
    private func userAccountCodes(of commands: [Command]) -> [String] {
        let wallets = Set(commands.map(\.user)).flatMap { user in
            UserAccount.allCases.map { AccountCode.user($0, of: user) }
        }
        let earnings = commands.compactMap { command in
            command.provider.map { AccountCode.earnings(of: $0, Stripe(of: command.user, among: chart.stripes)) }
        }
        return (wallets + earnings).map(\.rawValue)
    }
}

import Foundation
import Postgres

/// A batch's two round trips: ``plan(_:ids:)`` loads what it is planned on, ``store(_:)`` writes it.
///
/// Between the two the touched accounts are locked, so what was loaded stays true until the commit.
struct BatchStore {
    let connection: PostgresConnection
    let chart: SystemChart
    let lotOrdering: LotOrdering

    /// How many lots are read for each act that takes coins out of a user's first ones.
    private static let lotsAnAct = 8

    /// Begins the transaction, locks and reads what the acts touch, and plans them.
    ///
    /// Of who spends, the first lots are read: there may be thousands. Seldom do they not suffice; then all are read, under
    /// the same locks, and the acts are planned again.
    func plan(_ acts: [any Act], ids: RecordIDs) async throws(PostgresError) -> Plan {
        var snapshot = try await load(acts, ids: ids)
        let plan = Plan(acts, on: snapshot)
        let lacking = plan.lots.usersLackingLots
        guard !lacking.isEmpty else { return plan }
        snapshot.add(allLots: try await connection.run(Lot.open(of: Array(lacking))), of: lacking)
        return Plan(acts, on: snapshot)
    }

    /// Begins the transaction, locks the accounts and reads all that the acts touch, in one round trip.
    ///
    /// What is open stays so until the commit, for whoever closes the books waits.
    ///
    /// System accounts are locked first, by id, the stripes' locks among them. From then on no other writer opens or
    /// posts to an account of these stripes, so nothing deadlocks. Users' accounts are read by the next statement: a
    /// statement sees no row that was inserted while it waited itself, but all that was while the one before it did.
    private func load(_ acts: [any Act], ids: RecordIDs) async throws(PostgresError) -> Snapshot {
        let touches = BatchTouches(acts, among: chart.stripes)
        let blocks = ids.blocksMissing(for: acts.count * Plan.mostIDs)
        var snapshot = Snapshot(stripes: chart.stripes, now: Date(), lotOrdering: lotOrdering, ids: ids)
        for part in try await connection.pipeline(locks(of: touches, blocks) + lookUps(of: touches)) {
            snapshot.add(part)
        }
        return snapshot
    }

    /// What comes before all look-ups, in this order.
    private func locks(of touches: BatchTouches, _ blocks: Int64) -> [PostgresQuery<SnapshotPart>] {
        let earnings = touches.earnings.map(\.rawValue)
        return [
            PostgresQuery<Int>.affected("BEGIN ISOLATION LEVEL READ COMMITTED").map { _ in .nothing },
            ClosedPeriod.openFrom.map(SnapshotPart.openFrom),
            Self.takeBlocks(blocks).map(SnapshotPart.blocks),
            Account.lock(ids: chart.ids(touchedBy: touches)).map(SnapshotPart.accounts),
            Account.lock(of: Array(touches.users)).map(SnapshotPart.accounts),
        ] + (earnings.isEmpty ? [] : [Account.lock(codes: earnings).map(SnapshotPart.accounts)])
    }

    /// Under the locks: the look-ups of what the batch touches, and none of what it does not; the time last.
    private func lookUps(of touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        var lookUps = Self.purchases(of: touches) + lots(of: touches)
        if !touches.holds.isEmpty {
            lookUps.append(Hold.find(touches.holds).map(SnapshotPart.holds))
            lookUps.append(HoldLot.of(touches.holds).map(SnapshotPart.holdLots))
        }
        if !touches.settlementLines.isEmpty {
            lookUps.append(
                SettlementLine.of(touches.settlementLines, touches.settled).map(SnapshotPart.settlementLines))
        }
        if !touches.keys.isEmpty { lookUps.append(RecordedOutcome.under(touches.keys).map(SnapshotPart.recorded)) }
        return lookUps + [Self.clock.map(SnapshotPart.now)]
    }

    private static func purchases(of touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        var lookUps: [PostgresQuery<SnapshotPart>] = []
        if !touches.payments.isEmpty {
            lookUps.append(Purchase.sharing(touches.payments).map(SnapshotPart.purchases))
        }
        if !touches.purchases.isEmpty || !touches.refunds.isEmpty {
            lookUps.append(
                Purchase.find(touches.purchases, ofRefunds: touches.refunds).map(SnapshotPart.purchases))
        }
        if !touches.purchases.isEmpty || !touches.refunds.isEmpty || !touches.takenBack.isEmpty {
            lookUps.append(
                Refund.find(touches.refunds, pendingOf: touches.purchases, and: touches.takenBack)
                    .map(SnapshotPart.refunds))
        }
        return lookUps
    }

    private func lots(of touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        var lookUps: [PostgresQuery<SnapshotPart>] = []
        if !touches.takenBack.isEmpty { lookUps.append(Lot.open(of: touches.takenBack).map(SnapshotPart.lots)) }
        if !touches.choosers.isEmpty || !touches.payers.isEmpty {
            lookUps.append(
                Lot.open(of: Array(touches.choosers), orIfInDebt: Array(touches.payers)).map(SnapshotPart.lots))
        }
        if let most = touches.takers.values.max() {
            let limit = most * Self.lotsAnAct
            lookUps.append(
                Lot.first(of: Array(touches.takers.keys), in: lotOrdering, limit: limit)
                    .map { SnapshotPart.firstLots($0, limit: limit) })
        }
        if !touches.lots.isEmpty || !touches.holds.isEmpty {
            lookUps.append(Lot.find(touches.lots, ofHolds: touches.holds).map(SnapshotPart.lots))
        }
        if !touches.purchases.isEmpty {
            lookUps.append(Lot.expired(ofPurchases: touches.purchases).map(SnapshotPart.lots))
        }
        return lookUps
    }

    /// Writes the plan and commits.
    ///
    /// One round trip; only after its reply is any of it true. A batch that writes nothing may repeat what an earlier one
    /// did, so it waits for the standbys as well (``Replication``).
    ///
    /// Only what happened is written; the totals of it are the database's to write. What others are judged against goes
    /// before them: accounts and entries before postings, lots and holds before what becomes of them.
    func store(_ plan: Plan) async throws(PostgresError) {
        let stripes = chart.stripes
        let facts =
            plan.journal.facts + plan.purchases.facts(among: stripes) + plan.lots.facts
            + plan.holds.facts(among: stripes) + plan.purchases.reversalFacts + plan.refunds.facts(among: stripes)
            + plan.settlements.facts
            + plan.outcomes.facts(at: plan.recordedAt)
        _ = try await connection.pipeline((facts.isEmpty ? [Replication.mark] : facts) + [.affected("COMMIT")])
    }

    /// Ends a transaction that failed, so that the connection can be used again.
    func rollBack() async throws(PostgresError) {
        _ = try await connection.run(PostgresQuery<Int>.affected("ROLLBACK"))
    }

    /// Has the server plan the session's statements anew, for tables as they are now.
    func discardPlans() async throws(PostgresError) {
        try await connection.execute("DISCARD PLANS")
    }

    private static let clock = PostgresQuery<Date>.one("SELECT clock_timestamp()") { row in
        try row.decode(0, as: Date.self)
    }

    private static func takeBlocks(_ count: Int64) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT nextval('record_id') FROM generate_series(1, $1)", [count]) { row in
            try row.decode(0, as: Int64.self)
        }
    }
}

/// What one look-up adds to a snapshot.
private enum SnapshotPart: Sendable {
    case nothing
    case openFrom(Date?)
    case blocks([Int64])
    case accounts([Account])
    case purchases([Purchase])
    case lots([Lot])
    /// The first lots of users, so many of each at most.
    case firstLots([Lot], limit: Int)
    case holds([Hold])
    case holdLots([HoldLot])
    case refunds([Refund])
    case settlementLines([SettlementLine])
    case recorded([RecordedOutcome])
    case now(Date)
}

extension Snapshot {
    fileprivate mutating func add(_ part: SnapshotPart) {
        switch part {
        case .nothing: break
        case .openFrom(let moment): openFrom = moment
        case .blocks(let starts): ids.add(blocksFrom: starts)
        case .accounts(let found): accounts += found
        case .purchases(let found): purchases += found
        case .lots(let found): lots += found
        case .firstLots(let found, let limit): add(firstLots: found, limit: limit)
        case .holds(let found): holds += found
        case .holdLots(let found): holdLots += found
        case .refunds(let found): refunds += found
        case .settlementLines(let found): settlementLines += found
        case .recorded(let found): recorded += found
        case .now(let moment): now = moment
        }
    }
}

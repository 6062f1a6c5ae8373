import Foundation
import Postgres
import Timing

/// The two round trips of a batch: ``plan(_:ids:)`` loads the rows for planning, and ``store(_:)`` writes the plan.
///
/// The touched accounts stay locked in between, so the loaded rows are current until the commit.
struct BatchStore {
    let connection: PostgresConnection
    let chart: SystemChart
    /// This process, which has a lease of the refunds that it begins.
    let leaseHolder: Int64?
    let lotOrdering: LotOrdering
    let vatSettings: VATSettings
    let coinDays: CoinDays
    let lotLimits: LotLimits

    /// Begins the transaction, locks and reads the rows that the acts touch, and plans the acts.
    ///
    /// For spends, only the user's first lots are read, because there may be thousands. If they do not suffice, which
    /// is rare, as many as the acts may change, but no more than a batch may, are read under the same locks, and the acts
    /// are planned again. If these do not suffice either, the batch is divided (``Plan/isTooLarge``). A
    /// provider with terms has an account of won; only then the terms are read, and the accounts that they need. While
    /// VAT is off, its accounts are read only if lots were sold when it was on.
    func plan(_ acts: [any Act], ids: RecordIDs) async throws(PostgresError) -> Plan {
        var snapshot = try await load(acts, ids: ids)
        let payables = snapshot.payables
        if !payables.isEmpty {
            let items = Set(acts.compactMap(\.touches.item))
            for part in try await connection.pipeline(termsLookUps(of: payables, items)) { part(&snapshot) }
        }
        try await addVATAccounts(to: &snapshot)
        try await addForeignAccounts(to: &snapshot)
        let plan = Plan(acts, on: snapshot)
        let lacking = plan.lots.usersLackingLots
        guard !lacking.isEmpty else { return plan }
        let counts = acts.reduce(into: [:]) { $0[$1.user, default: 0] += 1 }
        let limit = lotLimits.reading(of: lacking.map { counts[$0] ?? 1 }, outOf: acts.count)
        snapshot.mayLackLots = limit.isShort
        // One more shows that an act needs more than it may change.
        let more = try await connection.run(Lot.first(of: Array(lacking), in: lotOrdering, limit: limit.lots + 1))
        snapshot.add(moreLots: more, of: lacking, limit: limit.lots + 1)
        try await addVATAccounts(to: &snapshot)
        return Plan(acts, on: snapshot)
    }

    /// Begins the transaction, locks the accounts and reads all rows that the acts touch, in one round trip.
    ///
    /// Open periods stay open until the commit, because a closing waits for it.
    ///
    /// System accounts are locked first, by id; they include the stripes' locks. After that no other writer opens or
    /// posts to an account of these stripes, so there are no deadlocks. Users' accounts are read by the next statement,
    /// because a statement does not see rows that were inserted while it waited for a lock, but sees all that were
    /// inserted while the previous statement waited.
    ///
    /// Those who have given coins of a purchase that is refunded are read before, to lock them too. If others have some of
    /// them by then, or one of them was merged into another, the locks are released, and all are read again.
    private func load(_ acts: [any Act], ids: RecordIDs) async throws(PostgresError) -> Snapshot {
        var touches = BatchTouches(acts, among: chart.stripes, booksVAT: vatSettings.isBooked)
        guard touches.mayRecall else { return try await load(acts, touches, ids: ids) }
        while true {
            let given = try await connection.run(
                Lot.givenWithOrigins(ofPurchases: touches.purchases, touches.takenBack))
            touches.insert(RecallableLot.among(given), among: chart.stripes)
            let snapshot = try await load(acts, touches, ids: ids)
            guard touches.lacks(snapshot.recallable) else { return snapshot }
            try await rollBack()
        }
    }

    private func load(
        _ acts: [any Act], _ touches: BatchTouches, ids: RecordIDs
    ) async throws(PostgresError) -> Snapshot {
        let blocks = ids.blocksMissing(for: acts.reduce(touches.idsOfRecalls) { $0 + $1.mostIDs })
        var snapshot = Snapshot(
            stripes: chart.stripes, now: Time.current.now, lotOrdering: lotOrdering, lotLimits: lotLimits,
            vatSettings: vatSettings, coinDays: coinDays, ids: ids)
        for part in try await connection.pipeline(locks(of: touches, blocks) + lookUps(of: touches)) {
            part(&snapshot)
        }
        return snapshot
    }

    /// The statements before all look-ups, in this order.
    private func locks(of touches: BatchTouches, _ blocks: Int64) -> [PostgresQuery<SnapshotPart>] {
        let further = (touches.providerAccounts + touches.foreignAccounts).map(\.rawValue)
        return [
            Self.begin.into { _, _ in },
            ClosedPeriod.openFrom.into { $0.openFrom = $1 },
            Self.takeBlocks(blocks).into { $0.ids.add(blocksFrom: $1) },
            Account.lock(ids: chart.ids(touchedBy: touches)).into(\.accounts),
            Account.lock(of: Array(touches.users)).into(\.accounts),
        ] + (further.isEmpty ? [] : [Account.lock(codes: further).into(\.accounts)])
    }

    /// What acts for providers with terms need besides: read under the locks of their stripes, so no terms are set
    /// meanwhile (schema/judges/providers.sql).
    private func termsLookUps(of payables: [Account], _ items: Set<String>) -> [PostgresQuery<SnapshotPart>] {
        let ids = Set(payables.map(\.stripe)).flatMap { stripe in
            chart.ids(of: [.commission, .providerCosts], in: stripe)
        }
        return [Account.lock(ids: ids).into(\.accounts)]
            + PlannedProviders.lookUps(of: Set(payables.compactMap(\.owner)), items: items)
    }

    /// Adds the accounts of VAT, under the locks of their stripes, if lots need them and they were not read.
    private func addVATAccounts(to snapshot: inout Snapshot) async throws(PostgresError) {
        let lacking = snapshot.accountsLackingForVAT
        guard !lacking.isEmpty else { return }
        let ids = lacking.flatMap { stripe, accounts in chart.ids(of: accounts, in: stripe) }
        snapshot.accounts += try await connection.run(Account.lock(ids: ids))
    }

    /// Adds the accounts of foreign currencies in which purchases were paid that acts may take back, under the locks of their
    /// stripes.
    private func addForeignAccounts(to snapshot: inout Snapshot) async throws(PostgresError) {
        let lacking = snapshot.foreignAccountsLacking
        guard !lacking.isEmpty else { return }
        snapshot.accounts += try await connection.run(Account.lock(codes: lacking.map(\.rawValue)))
    }

    /// The look-ups under the locks: only those that the batch needs, and the time last.
    private func lookUps(of touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        let parts = [
            PlannedMerges.lookUps(for: touches, lotLimits),
            PlannedPurchases.lookUps(for: touches), PlannedRefunds.lookUps(for: touches),
            PlannedDisputes.lookUps(for: touches), PlannedLots.lookUps(for: touches, in: lotOrdering),
            PlannedHolds.lookUps(for: touches), PlannedGifts.lookUps(for: touches, in: lotOrdering),
            PlannedSettlements.lookUps(for: touches),
            PlannedRedemptions.lookUps(for: touches), Plan.debtLookUps(for: touches),
            PlannedPayouts.lookUps(for: touches), PlannedAdjustments.lookUps(for: touches),
            PlannedRevaluations.lookUps(for: touches), PlannedCampaigns.lookUps(for: touches),
            PlannedOutcomes.lookUps(for: touches),
            [Self.clock.into { $0.now = $1 }],
        ]
        return parts.flatMap(\.self)
    }

    /// Writes the plan and commits.
    ///
    /// This takes one round trip. The acts count as done only when its reply has arrived. A batch that writes nothing
    /// may repeat the outcome of an earlier one, so it also waits for the standbys (``Replication``).
    ///
    /// Only facts are written; the database updates the totals. Rows that others are checked against are written first:
    /// accounts and entries before postings, lots and holds before their movements and events.
    func store(_ plan: Plan) async throws(PostgresError) {
        let stripes = chart.stripes
        let facts =
            plan.journal.facts + plan.merges.facts + plan.purchases.facts(among: stripes) + plan.lots.facts
            + plan.campaigns.facts + plan.holds.facts(among: stripes) + plan.purchases.reversalFacts
            + plan.redemptions.facts + plan.purchases.reversedClawBackFacts + plan.gifts.facts
            + plan.refunds.facts(among: stripes, leasedTo: leaseHolder) + plan.disputes.facts(among: stripes)
            + plan.settlements.facts + plan.debtFacts + plan.providers.facts + plan.payouts.facts
            + plan.adjustments.facts + plan.revaluations.facts + plan.outcomes.facts(at: plan.recordedAt)
        _ = try await connection.pipeline((facts.isEmpty ? [Replication.mark] : facts) + [.affected("COMMIT")])
    }

    /// Credits purchases by a function of the database, and commits.
    ///
    /// This takes one round trip. As in ``store(_:)``, they count as credited only when its reply has arrived.
    func credit(_ crediting: Crediting) async throws(PostgresError) -> [Answer<Credited>] {
        guard let check = crediting.check else {
            let (_, answers, _) = try await connection.pipeline(
                Self.begin, crediting.call, PostgresQuery<Int>.commit)
            return answers
        }
        let (_, answers, _, _) = try await connection.pipeline(
            Self.begin, crediting.call, check, PostgresQuery<Int>.commit)
        return answers
    }

    /// The beginnings of the blocks of ids that so many purchases need besides those that are left.
    func blocks(forPurchases count: Int, besides ids: RecordIDs) async throws(PostgresError) -> [Int64] {
        let missing = ids.blocksMissing(forRows: count, of: Crediting.idsOfAct)
        return missing == 0 ? [] : try await connection.run(Self.takeBlocks(missing))
    }

    /// Ends a failed transaction, so that the connection can be used again.
    func rollBack() async throws(PostgresError) {
        _ = try await connection.run(PostgresQuery<Int>.affected("ROLLBACK"))
    }

    /// Makes the server plan the session's statements again, for the current sizes of the tables.
    func discardPlans() async throws(PostgresError) {
        try await connection.execute("DISCARD PLANS")
    }

    private static let begin = PostgresQuery<Int>.affected("BEGIN ISOLATION LEVEL READ COMMITTED")

    private static let clock = PostgresQuery<Date>.one("SELECT clock_timestamp()")

    private static func takeBlocks(_ count: Int64) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT nextval('record_id') FROM generate_series(1, $1)", [count])
    }
}

extension Snapshot {
    /// The accounts of won that are owed to providers.
    fileprivate var payables: [Account] { accounts.filter { $0.owner != nil && $0.code.isPayable } }
}

/// Makes answers that are only read wait for synchronous standbys.
///
/// A commit waits until the standby has it. But data that a transaction reads may be committed and not replicated yet:
/// after a cancelled wait, or after a restart of the primary. So a mark is committed before an earlier outcome is
/// returned. The mark comes later in the WAL, so a standby that has it has everything before it.
enum Replication {
    /// Makes the commit wait for the synchronous standbys, if there are any.
    ///
    /// It changes no table.
    static let mark = PostgresQuery<Int>.affected(
        """
        SELECT pg_logical_emit_message(true, 'ledgerd', '')
        WHERE current_setting('synchronous_standby_names') <> ''
        """)
}

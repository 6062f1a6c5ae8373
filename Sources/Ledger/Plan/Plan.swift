import Foundation

/// What a batch of acts comes to: an answer to each, and all that has to be written for them.
///
/// Planning is pure: the same acts and snapshot give the same plan. It goes act by act, and each sees what those before
/// it did. A refused act writes nothing and leaves its neighbours alone.
package struct Plan: Sendable {
    /// The most ids that one act can use: three entries, a purchase, two lots, five accounts.
    static let mostIDs = 10

    /// What the callers are told, in the acts' order; a failure: what the database holds of an act can't be.
    private(set) var answers: [Result<any AnyAnswer, LedgerError>] = []
    /// The ids that no record took.
    private(set) var ids: RecordIDs

    /// The time of everything the plan records.
    ///
    /// It rises along an account's batches, whatever the clock does: two batches of one account never share a time, for
    /// ids, which come in blocks, could not put them in order.
    let recordedAt: Date
    /// The ledger's number of stripes.
    let stripes: Int64
    private let openFrom: Date?

    /// What the plan is made of, each piece with what the database holds and what is to be written.
    private(set) var journal: PlannedJournal
    var purchases: PlannedPurchases
    var lots: PlannedLots
    var holds: PlannedHolds
    var refunds: PlannedRefunds
    var settlements: PlannedSettlements
    private(set) var outcomes: PlannedOutcomes

    /// Plans the acts, one after the other, on what the snapshot holds.
    init(_ acts: [any Act], on snapshot: Snapshot) {
        stripes = snapshot.stripes
        openFrom = snapshot.openFrom
        ids = snapshot.ids
        recordedAt = snapshot.accounts.reduce(snapshot.now) { time, account in
            account.postedAt.map { max(time, $0.nextMicrosecond) } ?? time
        }
        journal = PlannedJournal(snapshot.accounts, acts: acts.count)
        purchases = PlannedPurchases(snapshot.purchases)
        lots = PlannedLots(
            snapshot.lots, in: snapshot.lotOrdering, lastRead: snapshot.lastLotRead)
        holds = PlannedHolds(snapshot.holds, snapshot.holdLots)
        refunds = PlannedRefunds(snapshot.refunds)
        settlements = PlannedSettlements(snapshot.settlementLines)
        outcomes = PlannedOutcomes(snapshot.recorded)
        answers.reserveCapacity(acts.count)
        for act in acts { answers.append(perform(act)) }
    }

    private mutating func perform(_ act: any Act) -> Result<any AnyAnswer, LedgerError> {
        do throws(LedgerError) {
            guard let keyed = act.keyed else { return .success(try answer(act)) }
            return .success(try answerOnce(keyed))
        } catch {
            return .failure(error)
        }
    }

    private mutating func answer(_ act: some Act) throws(LedgerError) -> any AnyAnswer { try answered(act) }

    private mutating func answered<A: Act>(_ act: A) throws(LedgerError) -> Answer<A.Success> {
        guard !journal.accounts.isFull(for: act.user, in: stripe(of: act.user)) else { return .refused(.accountFull) }
        return try act.plan(on: &self)
    }

    /// An act that its caller named is done once: the same again is answered with what became of the first.
    private mutating func answerOnce<A: KeyedAct>(_ act: A) throws(LedgerError) -> any AnyAnswer {
        if let before = outcomes[act.idempotencyKey] {
            guard before.isOf(act) else { return Answer<A.Success>.refused(.idempotencyKeyReused) }
            return Answer(try before.outcome(of: act), isRepeat: true)
        }
        let answer = try answered(act)
        if answer.refusal?.isDefinite ?? true { outcomes.insert(RecordedOutcome(answer.outcome, of: act)) }
        return answer
    }
}

// MARK: - What the acts are made of

extension Plan {
    /// A debit or credit to write, before its place in the account is known.
    struct Line {
        let account: PlannedAccounts.Reference
        let side: Side
        let amount: Int64
    }

    /// An id for a new record.
    mutating func newID() -> Int64 { ids.next() }

    func stripe(of user: UserID) -> Stripe { Stripe(of: user, among: stripes) }

    func balance(of user: UserID) -> Balance { journal.accounts.balance(of: user) }

    /// The user's account, which is opened if it does not exist.
    mutating func open(_ account: UserAccount, of user: UserID) -> PlannedAccounts.Reference {
        if let place = journal.accounts.place(of: account, of: user) { return .place(place) }
        return open(.user(account, of: user), of: user, in: stripe(of: user), normalSide: account.normalSide)
    }

    /// The provider's account of what it earns of the stripe's users, which is opened if it does not exist.
    mutating func openEarnings(of provider: UserID, in stripe: Stripe) -> PlannedAccounts.Reference {
        if let place = journal.accounts.place(ofEarningsOf: provider, in: stripe) { return .place(place) }
        return open(.earnings(of: provider, stripe), of: provider, in: stripe, normalSide: .credit)
    }

    private mutating func open(
        _ code: AccountCode, of owner: UserID, in stripe: Stripe, normalSide: Side
    ) -> PlannedAccounts.Reference {
        .place(
            journal.accounts.open(
                Account(id: newID(), stripe: stripe, code: code, owner: owner, currency: .coin, normalSide: normalSide)
            ))
    }

    /// Writes a balanced journal entry, with its postings in the order given, and returns its id.
    ///
    /// Lines of nothing are left out. What happened in a period that is closed by now is posted at the first open moment
    /// and says what it is late for.
    mutating func post(
        _ kind: JournalEntry.Kind, reference: String, reason: String? = nil, effectiveAt: Date, in stripe: Stripe,
        reverses: Int64? = nil, _ lines: [Line]
    ) -> Int64 {
        // Payouts alone are told of in advance.
        let effectiveAt = kind == .settlement ? effectiveAt : believable(effectiveAt)
        let openAt = max(effectiveAt, openFrom ?? effectiveAt)
        let entry = JournalEntry(
            id: newID(), stripe: stripe, kind: kind, reference: reference, reason: reason, effectiveAt: openAt,
            lateFor: openAt == effectiveAt ? nil : effectiveAt, recordedAt: recordedAt, reverses: reverses)
        journal.post(entry, lines)
        return entry.id
    }

    /// When something happened, by a gateway's clock: no later than now, but for what clocks may differ.
    func believable(_ moment: Date) -> Date {
        moment > recordedAt + CreditPurchase.clockTolerance ? recordedAt : moment
    }

    /// When something happened that somebody else tells of, or now: not before what it follows, and not in the future.
    func moment(_ told: Date?, notBefore earliest: Date) -> Date { min(max(told ?? recordedAt, earliest), recordedAt) }

    /// Replaces what is known of lots, and keeps what the journal entry left of them.
    mutating func change(_ lots: [Lot], by journalEntryID: Int64) {
        for lot in lots { self.lots.change(lot, by: journalEntryID, at: recordedAt) }
    }
}

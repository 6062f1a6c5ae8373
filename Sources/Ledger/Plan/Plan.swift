import Foundation

/// The result of a batch of acts: an answer to each act, and the rows to write.
///
/// Planning is pure: the same acts and snapshot give the same plan. Each act sees the effects of the acts before it. A
/// refused act writes nothing and does not affect the others.
package struct Plan: Sendable {
    /// The most ids that most acts can use, for its entries, purchase, lots and accounts.
    static let mostIDs = 10

    /// The answers, in the order of the acts; a failure: the rows that the act needs contradict each other.
    private(set) var answers: [Result<any AnyAnswer, LedgerError>] = []
    /// The ids that are left over.
    private(set) var ids: RecordIDs

    /// The time of everything the plan records, by the clock of the database.
    ///
    /// It always increases from batch to batch of an account, whatever the clock does. Ids could not order two batches
    /// with the same time, because writers take them in blocks.
    let recordedAt: Date
    /// The ledger's number of stripes.
    let stripes: Int64
    /// What VAT is booked of.
    let vatSettings: VATSettings
    /// How the days of lots are counted.
    let coinDays: CoinDays
    /// The most lots that acts may change.
    let lotLimits: LotLimits
    /// Whether several acts could do with more lots than a batch reads.
    private let mayLackLots: Bool
    /// The number of lots that each act changes, in the order of the acts; a lot that it changes twice counts twice.
    ///
    /// An act whose user's lots did not suffice counts as one that changes as many as it may.
    private(set) var lotsChanged: [Int] = []
    /// The earliest time at which entries may be effective; nil: no period is closed.
    let openFrom: Date?

    /// The parts of the plan.
    ///
    /// Each has the rows read from the database and the rows to write.
    private(set) var journal: PlannedJournal
    var merges: PlannedMerges
    var purchases: PlannedPurchases
    var lots: PlannedLots
    var holds: PlannedHolds
    var gifts: PlannedGifts
    var refunds: PlannedRefunds
    var disputes: PlannedDisputes
    var settlements: PlannedSettlements
    var redemptions: PlannedRedemptions
    var providers: PlannedProviders
    var payouts: PlannedPayouts
    var adjustments: PlannedAdjustments
    var revaluations: PlannedRevaluations
    var campaigns: PlannedCampaigns
    /// What was read of users' debts, kept up to date by the acts.
    var debts: [UserID: DebtHistory]
    /// Payments of debts in won to insert.
    var debtPayments: [DebtPaidByBank] = []
    private(set) var outcomes: PlannedOutcomes

    /// Plans the acts one after the other, based on the snapshot.
    init(_ acts: [any Act], on snapshot: Snapshot) {
        stripes = snapshot.stripes
        vatSettings = snapshot.vatSettings
        coinDays = snapshot.coinDays
        lotLimits = snapshot.lotLimits
        mayLackLots = snapshot.mayLackLots
        openFrom = snapshot.openFrom
        ids = snapshot.ids
        recordedAt = snapshot.accounts.reduce(snapshot.now) { time, account in
            account.postedAt.map { max(time, $0.nextMicrosecond) } ?? time
        }
        journal = PlannedJournal(snapshot.accounts, acts: acts.count)
        merges = PlannedMerges(snapshot)
        purchases = PlannedPurchases(snapshot)
        lots = PlannedLots(snapshot)
        holds = PlannedHolds(snapshot)
        gifts = PlannedGifts(snapshot)
        refunds = PlannedRefunds(snapshot.refunds)
        disputes = PlannedDisputes(snapshot)
        settlements = PlannedSettlements(snapshot.settlementLines)
        redemptions = PlannedRedemptions(snapshot.redemptions)
        providers = PlannedProviders(snapshot.terms)
        payouts = PlannedPayouts(snapshot.payouts)
        adjustments = PlannedAdjustments(snapshot)
        revaluations = PlannedRevaluations(snapshot.revaluations, snapshot.revaluationBases)
        campaigns = PlannedCampaigns(snapshot.campaignShares)
        debts = snapshot.debts
        outcomes = PlannedOutcomes(snapshot.recorded)
        answers.reserveCapacity(acts.count)
        lotsChanged.reserveCapacity(acts.count)
        for act in acts {
            let before = lots.movements.count
            answers.append(perform(act))
            let isLacking = lots.usersLackingLots.contains(act.user)
            lotsChanged.append(isLacking ? lotLimits.act : lots.movements.count - before)
        }
    }

    /// Whether several acts change, or need to read, more lots than a batch may.
    var isTooLarge: Bool {
        guard answers.count > 1 else { return false }
        return lots.movements.count > lotLimits.batch || (mayLackLots && !lots.usersLackingLots.isEmpty)
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
        if let user = merges.aliases[act.user], act.of(user) != nil { return .refused(.userMerged(into: user)) }
        guard !act.givesCoins || !act.user.isForgotten else { return .refused(.userForgotten) }
        guard !journal.accounts.isFull(for: act.user, in: stripe(of: act.user)) else { return .refused(.accountFull) }
        return try act.plan(on: &self)
    }

    /// Plans an act of several parts: if one of them is refused or fails, nothing of it stays in the plan.
    ///
    /// That lots did not suffice stays noted: the parts may be done with more of the users' lots.
    ///
    /// - Throws: as the act.
    mutating func allOrNothing<Success>(
        _ act: (inout Plan) throws(LedgerError) -> Outcome<Success>
    ) throws(LedgerError) -> Outcome<Success> {
        let before = self
        do throws(LedgerError) {
            let outcome = try act(&self)
            if case .refused = outcome {
                let lacking = lots.usersLackingLots
                self = before
                for user in lacking { lots.didNotSuffice(for: user) }
            }
            return outcome
        } catch {
            self = before
            throw error
        }
    }

    /// Plans an act as a part of another one, and records its outcome under its own key if it is done.
    ///
    /// So what a part books is in the books as if it were an act alone.
    ///
    /// - Throws: as the act. It may have changed the plan before, which ``allOrNothing(_:)`` takes back.
    mutating func planPart<A: KeyedAct>(_ act: A) throws(LedgerError) -> Outcome<A.Success> {
        guard outcomes[act.idempotencyKey] == nil else { return .refused(.idempotencyKeyReused) }
        let answer = try answered(act)
        if answer.refusal == nil { outcomes.insert(RecordedOutcome(answer.outcome, of: act)) }
        return answer.outcome
    }

    /// An act with an idempotency key is done once.
    ///
    /// A repeat gets the first outcome, whichever name of the user it has.
    private mutating func answerOnce<A: KeyedAct>(_ act: A) throws(LedgerError) -> any AnyAnswer {
        if let before = outcomes[act.idempotencyKey] {
            let names = merges.aliases.otherNames(of: act.user)
            guard before.isOf(act) || names.contains(where: { act.of($0).map(before.isOf) ?? false }) else {
                return Answer<A.Success>.refused(.idempotencyKeyReused)
            }
            return Answer(try before.outcome(of: act), isRepeat: true)
        }
        let answer = try answered(act)
        if answer.refusal?.isDefinite ?? true { outcomes.insert(RecordedOutcome(answer.outcome, of: act)) }
        return answer
    }
}

// MARK: - Building blocks of acts

extension Plan {
    /// A debit or credit to write, before its number in the account is known.
    struct Line {
        let account: PlannedAccounts.Reference
        let side: Side
        let amount: Int64

        /// The line that takes it back.
        var opposite: Line { Line(account: account, side: side.opposite, amount: amount) }
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

    /// The provider's earnings account in the stripe, which is opened if it does not exist.
    mutating func openEarnings(of provider: UserID, in stripe: Stripe) -> PlannedAccounts.Reference {
        if let place = journal.accounts.place(ofEarningsOf: provider, in: stripe) { return .place(place) }
        return open(.earnings(of: provider, stripe), of: provider, in: stripe, normalSide: .credit)
    }

    /// The account of the won that are owed to the provider in the stripe, which is opened if it does not exist.
    mutating func openPayable(of provider: UserID, in stripe: Stripe) -> PlannedAccounts.Reference {
        if let place = journal.accounts.place(ofPayableOf: provider, in: stripe) { return .place(place) }
        return open(.payable(of: provider, stripe), of: provider, in: stripe, .won, normalSide: .credit)
    }

    private mutating func open(
        _ code: AccountCode, of owner: UserID, in stripe: Stripe, _ currency: Currency = .coin, normalSide: Side
    ) -> PlannedAccounts.Reference {
        .place(
            journal.accounts.open(
                Account(
                    id: newID(), stripe: stripe, code: code, owner: owner, currency: currency, normalSide: normalSide)
            ))
    }

    /// Writes a balanced journal entry with postings in the given order, and returns its id.
    ///
    /// Lines with an amount of zero are left out. If the period of `effectiveAt` is closed, the entry is effective at
    /// the first open moment, and ``JournalEntry/lateFor`` has the original time.
    ///
    /// - Parameter id: its id, taken before; nil: a new one.
    @discardableResult
    mutating func post(
        _ kind: EntryKind, id: Int64? = nil, reference: String, reason: String? = nil, effectiveAt: Date,
        in stripe: Stripe,
        reverses: Int64? = nil, _ lines: [Line]
    ) -> Int64 {
        // Only payouts are announced in advance.
        let effectiveAt = kind == .settlement ? effectiveAt : believable(effectiveAt)
        let openAt = max(effectiveAt, openFrom ?? effectiveAt)
        let entry = JournalEntry(
            id: id ?? newID(), stripe: stripe, kind: kind, reference: reference, reason: reason, effectiveAt: openAt,
            lateFor: openAt == effectiveAt ? nil : effectiveAt, recordedAt: recordedAt, reverses: reverses)
        journal.post(entry, lines)
        return entry.id
    }

    /// A time from a gateway's clock, limited to now plus the tolerated clock difference.
    func believable(_ moment: Date) -> Date {
        moment > recordedAt + CreditPurchase.clockTolerance ? recordedAt : moment
    }

    /// A reported time, or now if none is reported.
    ///
    /// It is limited to `earliest`...now.
    func moment(_ told: Date?, notBefore earliest: Date) -> Date { min(max(told ?? recordedAt, earliest), recordedAt) }

    /// Whether the bank can have paid at a time that was stated as a moment or as the beginning of a day.
    ///
    /// - Parameter earliest: before, there was nothing to pay.
    func isPlausible(_ paidAt: Date, since earliest: Date) -> Bool { paidAt + Self.day > earliest }

    /// A day, in seconds: a payment may have only a date, which counts as the start of the day.
    private static let day: TimeInterval = 24 * 3600

    /// Replaces lots, and records each as a movement of the journal entry.
    mutating func change(_ lots: [Lot], by journalEntryID: Int64) {
        for lot in lots { self.lots.change(lot, by: journalEntryID, at: recordedAt) }
    }
}

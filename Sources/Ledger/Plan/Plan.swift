import Foundation

/// What a batch of commands comes to: an outcome for each, and all that has to be written for them.
///
/// Planning is pure: the same commands and snapshot give the same plan. It goes command by command, and each sees what
/// those before it did. A refused command writes nothing and leaves its neighbours alone.
struct Plan: Sendable {
    /// The most ids that one command can use: three entries, a purchase, two lots, five accounts.
    static let mostIDs = 10

    /// What the callers are told, in the commands' order.
    private(set) var answers: [Answer] = []
    /// Journal entries to insert.
    private(set) var entries: [JournalEntry] = []
    /// Postings to insert, each entry's together.
    private(set) var postings: [Posting] = []
    /// What became of lots, each lot's in order.
    private(set) var movements: [LotMovement] = []
    /// What became of holds.
    private(set) var holdEvents: [HoldEvent] = []
    /// What went back of purchases.
    private(set) var reversals: [PurchaseReversal] = []
    /// Outcomes to record under their keys.
    private(set) var recorded: [RecordedOutcome] = []
    /// The ids that no record took.
    private(set) var ids: RecordIDs

    /// The time of everything the plan records.
    ///
    /// It rises along an account's batches, whatever the clock does: two batches of one account never share a time, for
    /// ids, which come in blocks, could not put them in order.
    let recordedAt: Date
    let lotOrder: LotOrder
    private let openFrom: Date?
    private let stripes: Int64
    private(set) var accounts: [AccountCode: Account]
    private var hasFullAccounts = false
    private var openedCodes: [AccountCode] = []
    private var purchases = Records<Purchase>()
    private var purchaseByImpUID: [GatewayKey: Int64] = [:]
    private var purchaseByMerchantUID: [ExactText: Int64] = [:]
    private var lots = Records<Lot>()
    private var lotsByPurchase: [Int64: [Int64]] = [:]
    private var lotsByUser: [UserID: [Int64]] = [:]
    private var holds = Records<Hold>()
    private var holdLots: [Int64: [HoldLot]] = [:]
    var refunds: PlannedRefunds
    /// Rows of statements.
    var settlementRows = Records<SettlementRow>()
    /// The rows that are booked of each purchase.
    var settledRows: [Int64: [Int64]] = [:]
    private var recordedByKey: [IdempotencyKey: RecordedOutcome]

    /// Plans the commands, one after the other, on what the snapshot holds.
    init(_ commands: [Command], on snapshot: Snapshot) {
        stripes = snapshot.stripes
        lotOrder = snapshot.lotOrder
        openFrom = snapshot.openFrom
        accounts = snapshot.accounts
        recordedByKey = snapshot.recorded
        ids = snapshot.ids
        refunds = PlannedRefunds(snapshot.refunds)
        recordedAt = snapshot.accounts.values.reduce(snapshot.now) { time, account in
            account.postedAt.map { max(time, $0.nextMicrosecond) } ?? time
        }
        for purchase in snapshot.purchases where purchases[purchase.id] == nil {
            purchases.load(purchase)
            index(purchase)
        }
        for lot in snapshot.lots where lots[lot.id] == nil {
            lots.load(lot)
            index(lot)
        }
        for row in snapshot.settlementRows { load(row) }
        for hold in snapshot.holds { holds.load(hold) }
        for lot in snapshot.holdLots where holdLots[lot.holdID]?.last.map({ $0.place < lot.place }) ?? true {
            holdLots[lot.holdID, default: []].append(lot)
        }
        hasFullAccounts = accounts.values.contains(where: \.isFull)
        answers.reserveCapacity(commands.count)
        for command in commands { answers.append(perform(command)) }
    }

    /// Accounts that do not exist yet and are to be inserted, empty.
    var openedAccounts: [Account] { openedCodes.compactMap { accounts[$0] } }

    /// Purchases to insert.
    var newPurchases: [Purchase] { purchases.new }
    /// Lots to insert.
    var newLots: [Lot] { lots.new }
    /// Rows of statements to update.
    var changedSettlementRows: [SettlementRow] { settlementRows.changed }
    /// Holds to insert.
    var newHolds: [Hold] { holds.new }
    /// Lots of new holds, to insert.
    var newHoldLots: [HoldLot] { holds.new.flatMap { holdLots[$0.id] ?? [] } }

    /// A command that its caller named is done once: the same again is answered with what became of the first.
    private mutating func perform(_ command: Command) -> Answer {
        guard let keyed = command.keyed else { return refusalOfFullAccounts(command) ?? act(command) }
        if let before = recordedByKey[keyed.idempotencyKey] {
            return before.isOf(keyed)
                ? Answer(before.outcome, isRepeat: true) : Answer(.refused(.idempotencyKeyReused))
        }
        let answer = refusalOfFullAccounts(command) ?? act(command)
        if case .refused(let refusal) = answer.outcome, !refusal.isDefinite { return answer }
        let kept = RecordedOutcome(
            key: keyed.idempotencyKey, command: type(of: keyed).name, fingerprint: keyed.fingerprint,
            outcome: answer.outcome)
        recordedByKey[kept.key] = kept
        recorded.append(kept)
        return answer
    }

    /// The refusal of a command when an account that it may post to can't take more: one of its stripe that is its
    /// user's, a provider's or the ledger's own.
    private func refusalOfFullAccounts(_ command: Command) -> Answer? {
        guard hasFullAccounts else { return nil }
        let isFull = accounts.values.contains { account in
            account.isFull && account.stripe == stripe(of: command.user)
                && (account.owner == nil || account.owner == command.user
                    || account.code.rawValue.hasPrefix("earnings:"))
        }
        return isFull ? Answer(.refused(.accountFull)) : nil
    }

    private mutating func act(_ command: Command) -> Answer {
        switch command {
        case .creditPurchase(let command): creditPurchase(command)
        case .grant(let command): Answer(grant(command))
        case .clawBack(let command): clawBack(command)
        case .spend(let command): Answer(spend(command))
        case .placeHold(let command): Answer(placeHold(command))
        case .captureHold(let command): Answer(captureHold(command))
        case .voidHold(let command): Answer(voidHold(command))
        case .expireHold(let command): expireHold(command)
        case .expireLot(let command): expireLot(command)
        case .payDebt(let command): payDebt(command)
        case .beginRefund(let command): Answer(beginRefund(command))
        case .completeRefund(let command): completeRefund(command)
        case .releaseRefund(let command): releaseRefund(command)
        case .settle(let command): settle(command)
        }
    }
}

// MARK: - What the acts are made of

extension Plan {
    /// A debit or credit to write, before its place in the account is known.
    struct Line {
        let account: AccountCode
        let side: Side
        let amount: Int64
    }

    /// An id for a new record.
    mutating func newID() -> Int64 { ids.next() }

    func stripe(of user: UserID) -> Stripe { Stripe(of: user, among: stripes) }

    /// Opens the user's account if it does not exist, and returns its code.
    mutating func open(_ account: UserAccount, of user: UserID) -> AccountCode {
        open(.user(account, of: user), of: user, in: stripe(of: user), normalSide: account.normalSide)
    }

    /// Opens the provider's account of what it earns of the stripe's users if it does not exist, and returns its code.
    mutating func openEarnings(of provider: UserID, in stripe: Stripe) -> AccountCode {
        open(.earnings(of: provider, stripe), of: provider, in: stripe, normalSide: .credit)
    }

    private mutating func open(
        _ code: AccountCode, of owner: UserID, in stripe: Stripe, normalSide: Side
    ) -> AccountCode {
        if accounts[code] == nil {
            accounts[code] = Account(
                id: newID(), stripe: stripe, code: code, owner: owner, currency: .coin, normalSide: normalSide)
            openedCodes.append(code)
        }
        return code
    }

    func balance(of user: UserID) -> Balance {
        Balance(user: user) { accounts[.user($0, of: user)]?.balance ?? 0 }
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
        entries.append(entry)
        for line in lines where line.amount != 0 { post(line, to: entry) }
        return entry.id
    }

    /// When something happened, by a gateway's clock: no later than now, but for what clocks may differ.
    func believable(_ moment: Date) -> Date {
        moment > recordedAt + CreditPurchase.clockTolerance ? recordedAt : moment
    }

    /// When something happened that somebody else tells of, or now: not before what it follows, and not in the future.
    func moment(_ told: Date?, notBefore earliest: Date) -> Date { min(max(told ?? recordedAt, earliest), recordedAt) }

    private mutating func post(_ line: Line, to entry: JournalEntry) {
        precondition(line.amount > 0, "a posting's amount is positive; its side carries the meaning")
        guard var account = accounts.removeValue(forKey: line.account) else {
            preconditionFailure("\(line.account.rawValue) was neither loaded nor opened")
        }
        precondition(account.stripe == entry.stripe, "a journal entry lies within one stripe")
        switch line.side {
        case .debit: account.debits += line.amount
        case .credit: account.credits += line.amount
        }
        account.seq += 1
        account.postedAt = recordedAt
        postings.append(
            Posting(
                accountID: account.id, seq: account.seq, journalEntryID: entry.id, stripe: entry.stripe,
                currency: account.currency, side: line.side, amount: line.amount, balance: account.balance))
        accounts[line.account] = account
    }
}

// MARK: - What was done before

extension Plan {
    /// The purchase of this payment, from before or from an earlier command of the batch.
    func purchase(of payment: PaymentIdentity) -> Purchase? {
        purchaseByImpUID[GatewayKey(gateway: payment.gateway, id: payment.impUID)].flatMap { purchases[$0] }
    }

    /// The purchase under this order id, whichever gateway it was paid through.
    func purchase(underMerchantUIDOf payment: PaymentIdentity) -> Purchase? {
        purchaseByMerchantUID[ExactText(payment.merchantUID)].flatMap { purchases[$0] }
    }

    /// The user's own purchase with this id.
    func purchase(_ id: Int64, of user: UserID) -> Purchase? {
        purchases[id].flatMap { $0.user == user ? $0 : nil }
    }

    /// The lots that came of a purchase, in the order in which they were made.
    func lots(of purchase: Purchase) -> [Lot] {
        (lotsByPurchase[purchase.id] ?? []).compactMap { lots[$0] }
    }

    /// Adds a purchase, known to the commands after it.
    mutating func insert(_ purchase: Purchase) {
        purchases.insert(purchase)
        index(purchase)
    }

    /// Replaces what is known of a purchase of which a payout was booked.
    mutating func change(_ purchase: Purchase) { purchases.change(purchase) }

    /// Takes a part of a purchase back, and returns the purchase as it is then.
    mutating func reverse(_ purchase: Purchase, by reversal: PurchaseReversal) -> Purchase {
        let reversed = purchase.reversed(by: reversal)
        purchases.change(reversed)
        reversals.append(reversal)
        return reversed
    }

    /// Adds a lot, known to the commands after it.
    mutating func insert(_ lot: Lot) {
        lots.insert(lot)
        index(lot)
    }

    /// Replaces what is known of a lot, and keeps what the journal entry left of it.
    mutating func change(_ lot: Lot, by journalEntryID: Int64) {
        var lot = lot
        lot.seq += 1
        lots.change(lot)
        movements.append(LotMovement(lot: lot, journalEntryID: journalEntryID, recordedAt: recordedAt))
    }

    func lot(_ id: Int64) -> Lot? { lots[id] }

    /// The user's lots that can be used now, in the order in which they are.
    func usableLots(of user: UserID) -> [Lot] {
        (lotsByUser[user] ?? []).compactMap { lots[$0] }
            .filter { $0.remaining > 0 && !$0.isExpired(at: recordedAt) }
            .sorted(by: lotOrder.precedes)
    }

    private mutating func index(_ purchase: Purchase) {
        let payment = purchase.payment
        purchaseByImpUID[GatewayKey(gateway: payment.gateway, id: payment.impUID)] = purchase.id
        purchaseByMerchantUID[ExactText(payment.merchantUID)] = purchase.id
    }

    private mutating func index(_ lot: Lot) {
        if let purchaseID = lot.purchaseID { lotsByPurchase[purchaseID, default: []].append(lot.id) }
        lotsByUser[lot.user, default: []].append(lot.id)
    }

    /// The user's own hold with this id.
    func hold(_ id: Int64, of user: UserID) -> Hold? {
        holds[id].flatMap { $0.user == user ? $0 : nil }
    }

    /// The lots of a hold, in the order in which they are captured.
    func lots(of hold: Hold) -> [HoldLot] { holdLots[hold.id] ?? [] }

    /// Adds a hold and its lots, known to the commands after it.
    mutating func insert(_ hold: Hold, _ lots: [HoldLot]) {
        holds.insert(hold)
        holdLots[hold.id] = lots
    }

    /// Replaces what is known of a hold and its lots, and keeps what the journal entry changed.
    mutating func change(_ hold: Hold, _ lots: [HoldLot], by journalEntryID: Int64) {
        if let before = holds[hold.id] {
            holdEvents.append(HoldEvent(from: before, to: hold, by: journalEntryID))
        }
        holds.change(hold)
        holdLots[hold.id] = lots
    }
}

import Foundation

/// What a batch of commands comes to: an outcome for each, and all that has to be written for them.
///
/// Planning is pure: the same commands and snapshot give the same plan. It goes command by command, and each sees what
/// those before it did. A refused command writes nothing and leaves its neighbours alone.
struct Plan: Sendable {
    /// The most ids that one command can use: an entry, a purchase, two lots, five accounts.
    static let mostIDs = 9

    /// The outcomes, in the commands' order.
    private(set) var outcomes: [Outcome] = []
    /// Journal entries to insert.
    private(set) var entries: [JournalEntry] = []
    /// Postings to insert, each entry's together.
    private(set) var postings: [Posting] = []
    /// Outcomes to record under their keys.
    var recorded: [RecordedOutcome] = []
    /// The ids that no record took.
    private(set) var ids: RecordIDs

    /// The time of everything the plan records.
    ///
    /// It rises along an account's batches, whatever the clock does: two batches of one account never share a time, for
    /// ids, which come in blocks, could not put them in order.
    let recordedAt: Date
    private let stripes: Int64
    private(set) var accounts: [AccountCode: Account]
    private var openedCodes: [AccountCode] = []
    private var postedCodes: Set<AccountCode> = []
    private var purchases = Records<Purchase>()
    private var purchaseByImpUID: [GatewayKey: Int64] = [:]
    private var purchaseByMerchantUID: [ExactText: Int64] = [:]
    private var lots = Records<Lot>()
    private var lotsByPurchase: [Int64: [Int64]] = [:]
    private var recordedByKey: [IdempotencyKey: RecordedOutcome]

    /// Plans the commands, one after the other, on what the snapshot holds.
    init(_ commands: [Command], on snapshot: Snapshot) {
        stripes = snapshot.stripes
        accounts = snapshot.accounts
        recordedByKey = snapshot.recorded
        ids = snapshot.ids
        recordedAt = snapshot.accounts.values.reduce(snapshot.now) { time, account in
            account.postedAt.map { max(time, $0.nextMicrosecond) } ?? time
        }
        for purchase in snapshot.purchases {
            purchases.load(purchase)
            index(purchase)
        }
        for lot in snapshot.lots where lots[lot.id] == nil {
            lots.load(lot)
            index(lot)
        }
        outcomes.reserveCapacity(commands.count)
        for command in commands { outcomes.append(perform(command)) }
    }

    /// Accounts that do not exist yet and are to be inserted, empty.
    var openedAccounts: [Account] { openedCodes.compactMap { accounts[$0] } }

    /// Accounts that were posted to, with the totals to be written, by id.
    var changedAccounts: [Account] {
        postedCodes.compactMap { accounts[$0] }.sorted { $0.id < $1.id }
    }

    /// Purchases to insert.
    var newPurchases: [Purchase] { purchases.new }
    /// Purchases to update.
    var changedPurchases: [Purchase] { purchases.changed }
    /// Lots to insert.
    var newLots: [Lot] { lots.new }
    /// Lots to update.
    var changedLots: [Lot] { lots.changed }

    private mutating func perform(_ command: Command) -> Outcome {
        switch command {
        case .creditPurchase(let command): creditPurchase(command)
        case .grant(let command): grant(command)
        case .clawBack(let command): clawBack(command)
        }
    }
}

/// A gateway's name and an id of its own.
private struct GatewayKey: Hashable {
    let gateway: ExactText
    let id: ExactText

    init(gateway: String, id: String) {
        self.gateway = ExactText(gateway)
        self.id = ExactText(id)
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
        let code = AccountCode.user(account, of: user)
        if accounts[code] == nil {
            accounts[code] = Account(
                id: newID(), stripe: stripe(of: user), code: code, owner: user, currency: .coin,
                normalSide: account.normalSide)
            openedCodes.append(code)
        }
        return code
    }

    func balance(of user: UserID) -> Balance {
        Balance(user: user) { accounts[.user($0, of: user)]?.balance ?? 0 }
    }

    /// Writes a balanced journal entry, with its postings in the order given, and returns its id.
    mutating func post(
        _ kind: JournalEntry.Kind, reference: String, reason: String? = nil, effectiveAt: Date, in stripe: Stripe,
        reverses: Int64? = nil, _ lines: [Line]
    ) -> Int64 {
        let entry = JournalEntry(
            id: newID(), stripe: stripe, kind: kind, reference: reference, reason: reason, effectiveAt: effectiveAt,
            recordedAt: recordedAt, reverses: reverses)
        entries.append(entry)
        for line in lines { post(line, to: entry) }
        return entry.id
    }

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
        postedCodes.insert(line.account)
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

    /// The lots that came of a purchase, in the order in which they were made.
    func lots(of purchase: Purchase) -> [Lot] {
        (lotsByPurchase[purchase.id] ?? []).compactMap { lots[$0] }
    }

    /// Adds a purchase, known to the commands after it.
    mutating func insert(_ purchase: Purchase) {
        purchases.insert(purchase)
        index(purchase)
    }

    /// Replaces what is known of a purchase.
    mutating func change(_ purchase: Purchase) { purchases.change(purchase) }

    /// Adds a lot, known to the commands after it.
    mutating func insert(_ lot: Lot) {
        lots.insert(lot)
        index(lot)
    }

    /// Replaces what is known of a lot.
    mutating func change(_ lot: Lot) { lots.change(lot) }

    private mutating func index(_ purchase: Purchase) {
        let payment = purchase.payment
        purchaseByImpUID[GatewayKey(gateway: payment.gateway, id: payment.impUID)] = purchase.id
        purchaseByMerchantUID[ExactText(payment.merchantUID)] = purchase.id
    }

    private mutating func index(_ lot: Lot) {
        if let purchaseID = lot.purchaseID { lotsByPurchase[purchaseID, default: []].append(lot.id) }
    }

    func recordedOutcome(under key: IdempotencyKey) -> RecordedOutcome? { recordedByKey[key] }

    /// Records the outcome under its key, for later commands and for good.
    mutating func record(_ outcome: RecordedOutcome) {
        recordedByKey[outcome.key] = outcome
        recorded.append(outcome)
    }
}

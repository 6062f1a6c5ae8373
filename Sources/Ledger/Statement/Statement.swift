package import Foundation

/// An entry of a user's statement: one act on the user's coins.
package struct StatementEntry: Sendable, Equatable {
    /// The change of one of the user's accounts.
    package struct Movement: Sendable, Equatable {
        /// The account: `paid`, `bonus`, `held_paid`, `held_bonus`, `debt`.
        package let account: String
        /// The number of the movement in the account.
        package let seq: Int64
        /// The change in coins; positive when the account increased.
        package let coins: Int64
        /// The account's balance after the movement.
        package let balance: Int64
    }

    /// The journal entry of the act.
    package let journalEntryID: Int64
    /// The act, such as `purchase` or `spend`.
    package let kind: String
    /// All kinds that a statement can have.
    package static let kinds = EntryKind.allCases.filter { $0.row.owner == .user }.map(\.rawValue)
    /// What it records, such as `purchase:17`.
    package let reference: String
    /// The reason, for people; nil: none was given.
    package let reason: String?
    /// The change of ``balance`` in coins; positive when the user gained coins.
    ///
    /// 0 for a hold, because the coins stay the user's.
    package let coins: Int64
    /// The user's paid, bonus and held coins after the act.
    package let balance: Int64
    /// The changes of the user's accounts.
    package let movements: [Movement]
    /// When it happened.
    package let effectiveAt: Date
    package let recordedAt: Date
    /// The id that the user had then, whose accounts the act moved; nil: the present one.
    package private(set) var former: UserID?

    /// The same act, on accounts of a former id.
    func of(former: UserID?) -> StatementEntry {
        var entry = self
        entry.former = former
        return entry
    }
}

/// Where the next page of a statement begins: in each account, before this number.
///
/// Ids and times are not sufficient: all movements of a batch have the same time, and ids are taken in blocks. The
/// numbers in an account have neither problem.
package struct StatementCursor: Sendable, Codable, Equatable {
    /// The lowest number already shown, by account.
    package internal(set) var seqByAccount: [String: Int64]
    /// Of which former id of the user the accounts are; nil: of the present one.
    package internal(set) var former: UserID?

    /// The beginning of what was a former id's.
    init(former: UserID) {
        seqByAccount = [:]
        self.former = former
    }

    /// The cursor after these entries, which begin at `earlier`.
    init(after entries: some Sequence<StatementEntry>, following earlier: StatementCursor?) {
        seqByAccount = earlier?.seqByAccount ?? [:]
        former = earlier?.former
        for entry in entries {
            for movement in entry.movements { seqByAccount[movement.account] = movement.seq }
        }
    }
}

/// Reads a user's statement backwards to find the entries of a period and kind.
struct StatementWalk {
    private let period: Period
    private let kind: String?
    private let limit: Int
    /// The position after the entries read so far.
    private(set) var cursor: StatementCursor?
    private var found: [StatementEntry] = []
    private var looked = 0
    private var isAtEnd = false

    /// The most entries that are read for one page.
    private static let most = 2000

    init(period: Period, kind: String?, cursor: StatementCursor?, limit: Int) {
        self.period = period
        self.kind = kind
        self.cursor = cursor
        self.limit = limit
    }

    /// The number of entries to read next: the room left on the page, if all kinds are wanted.
    var step: Int { kind == nil ? limit - found.count : 500 }

    /// Whether to read more entries.
    var goesOn: Bool { !isAtEnd && found.count < limit && looked < Self.most }

    /// Adds the lines after the cursor.
    ///
    /// They must cover at least ``step`` + 1 entries, unless there are no more.
    mutating func take(_ lines: [StatementLine]) {
        let entries = StatementEntry.assemble(lines)
        isAtEnd = entries.count <= step
        var seen = 0
        for entry in entries.prefix(step) {
            guard entry.recordedAt >= period.from else { break }
            guard found.count < limit else {
                isAtEnd = false
                break
            }
            if kind == nil || entry.kind == kind { found.append(entry) }
            seen += 1
        }
        if let next = entries.dropFirst(seen).first, next.recordedAt < period.from { isAtEnd = true }
        cursor = StatementCursor(after: entries.prefix(seen), following: cursor)
        looked += seen
    }

    var page: Page<StatementEntry, StatementCursor> { Page(elements: found, next: isAtEnd ? nil : cursor) }
}

extension StatementEntry {
    /// Groups lines, newest first, into entries with the user's balance after each.
    ///
    /// The newest line of each account has the account's balance after the newest entry. Going backwards, each entry's
    /// coins are subtracted.
    static func assemble(_ lines: [StatementLine]) -> [StatementEntry] {
        var balance: Int64 = 0
        var accounts: Set<UserAccount> = []
        for line in lines where line.account != .debt && accounts.insert(line.account).inserted {
            balance += line.movement.balance
        }
        var entries: [StatementEntry] = []
        var rest = lines[...]
        while let first = rest.first {
            let lines = rest.prefix { $0.journalEntryID == first.journalEntryID }
            rest = rest.dropFirst(lines.count)
            let entry = StatementEntry(lines, first, balance: balance)
            entries.append(entry)
            balance -= entry.coins
        }
        return entries
    }

    private init(_ lines: ArraySlice<StatementLine>, _ first: StatementLine, balance: Int64) {
        journalEntryID = first.journalEntryID
        kind = first.kind
        reference = first.reference
        reason = first.reason
        coins = lines.reduce(0) { $1.account == .debt ? $0 : $0 + $1.movement.coins }
        self.balance = balance
        movements = lines.map(\.movement)
        effectiveAt = first.effectiveAt
        recordedAt = first.recordedAt
    }
}

extension UserAccount {
    /// The account's name in statements.
    var statementName: String {
        switch self {
        case .paid: "paid"
        case .bonus: "bonus"
        case .heldPaid: "held_paid"
        case .heldBonus: "held_bonus"
        case .debt: "debt"
        }
    }
}

package import Foundation

/// One act on a user's coins: a line of the user's statement.
package struct StatementEntry: Sendable, Equatable {
    /// What it did to one of the user's accounts.
    package struct Movement: Sendable, Equatable {
        /// The account: `paid`, `bonus`, `held_paid`, `held_bonus`, `debt`.
        package let account: String
        /// Its place among that account's movements.
        package let seq: Int64
        /// Coins, positive when the account gained.
        package let coins: Int64
        /// The account's balance after it.
        package let balance: Int64
    }

    /// The journal entry that records it.
    package let journalEntryID: Int64
    /// Which act: `purchase`, `spend`.
    package let kind: String
    /// Every kind that there can be in a statement.
    package static let kinds = JournalEntry.Kind.allCases.filter { $0 != .settlement }.map(\.rawValue)
    /// What it is about: `purchase:17`.
    package let reference: String
    /// Why, in people's words, if it was told.
    package let reason: String?
    /// Coins, positive when the user gained: what it changed of ``balance``.
    ///
    /// 0 for a hold, whose coins stay the user's.
    package let coins: Int64
    /// The user's coins after it: paid, bonus and held.
    package let balance: Int64
    /// What it did to each of the user's accounts.
    package let movements: [Movement]
    /// When it happened.
    package let effectiveAt: Date
    /// When it was recorded.
    package let recordedAt: Date
}

/// Where a user's statement goes on: in each account, before this number.
///
/// Ids and times alone can't say it: a batch gives many movements one time, and ids come in blocks. An account's
/// numbers have neither trouble.
package struct StatementCursor: Sendable, Codable, Equatable {
    /// The lowest number already shown, by account.
    package internal(set) var seqByAccount: [String: Int64]

    /// The cursor after these entries, which followed `earlier`.
    init(after entries: [StatementEntry], following earlier: StatementCursor?) {
        seqByAccount = earlier?.seqByAccount ?? [:]
        for movement in entries.flatMap(\.movements) { seqByAccount[movement.account] = movement.seq }
    }
}

/// Goes back through a user's statement for the entries of a period and kind.
struct StatementWalk {
    private let period: Period
    private let kind: String?
    private let limit: Int
    /// After the entries that were looked at.
    private(set) var cursor: StatementCursor?
    private var found: [StatementEntry] = []
    private var looked = 0
    private var isAtEnd = false

    /// How many entries of other kinds a page passes over at most.
    private static let most = 2000

    init(period: Period, kind: String?, cursor: StatementCursor?, limit: Int) {
        self.period = period
        self.kind = kind
        self.cursor = cursor
        self.limit = limit
    }

    /// How many entries to look at next: where all are wanted, as many as the page has room for.
    var step: Int { kind == nil ? limit - found.count : 500 }

    /// Whether to look further.
    var goesOn: Bool { !isAtEnd && found.count < limit && looked < Self.most }

    /// Takes lines that follow the cursor: of one entry more than ``step`` at least, unless there are no more.
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
        cursor = StatementCursor(after: Array(entries.prefix(seen)), following: cursor)
        looked += seen
    }

    var page: Page<StatementEntry, StatementCursor> { Page(elements: found, next: isAtEnd ? nil : cursor) }
}

extension StatementEntry {
    /// Puts lines, newest first, together to entries, and tells the user's balance after each.
    ///
    /// The newest line of an account tells what the account held after the newest entry; going back, each movement is
    /// taken off again.
    static func assemble(_ lines: [StatementLine]) -> [StatementEntry] {
        var held: [UserAccount: Int64] = [:]
        for line in lines where held[line.account] == nil { held[line.account] = line.movement.balance }
        var entries: [StatementEntry] = []
        var rest = lines[...]
        while let first = rest.first {
            let lines = rest.prefix { $0.journalEntryID == first.journalEntryID }
            rest = rest.dropFirst(lines.count)
            let total = held.reduce(0) { $1.key == .debt ? $0 : $0 + $1.value }
            entries.append(StatementEntry(Array(lines), balance: total))
            for line in lines { held[line.account] = line.movement.balance - line.movement.coins }
        }
        return entries
    }

    private init(_ lines: [StatementLine], balance: Int64) {
        let first = lines[0]
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

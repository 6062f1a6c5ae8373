import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire
import Timing

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Find users, show what they have and what happened to them, merge and forget them.",
        subcommands: [
            Show.self, Search.self, Timeline.self, Export.self, MergeOne.self, Forget.self, CancelForgetting.self,
            KeptID.self, KeyGen.self,
        ])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Show a user: open findings, waiting receipts, balance, purchases, refunds, holds, coins by expiry.",
            discussion: "What needs a person comes first. At most 100 of each kind are shown.")

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let standing = try await common.withLedger { ledger in
                try await UserStanding.read(try await ledger.merges.user(behind: user), from: ledger)
            }
            if json { try JSONOutput.show(standing) } else { print(standing.text) }
        }
    }

    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find users by any name that they tell, or by the beginning of their id: at most 50 matches.",
            discussion: "Names are compared exactly. kim* finds the first 20 users whose id begins with kim.")

        @Argument(
            help: """
                A user or the beginning of one ('kim*'), an imp_uid, merchant_uid or payment_id, or the id of a purchase, \
                refund, hold, order or kept receipt.
                """,
            transform: TextOption.text)
        var name: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await ledger.matches(of: name)
            }
            if json { return try JSONOutput.show(found.map(SearchMatchBody.init)) }
            guard !found.isEmpty else {
                throw Refused(
                    "nothing has this name; names are compared exactly, 'kim*' finds users that begin with kim")
            }
            print(TextTable.text(SearchMatch.columns, found.map(\.row)))
        }
    }

    struct Timeline: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what happened to a user, newest first: acts, receipts, orders and notes.")

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await ledger.timeline.list(of: try await ledger.merges.user(behind: user), limit: list.limit)
            }
            let now = Time.current.now
            try list.show(found, TimelineItem.columns, row: \.row) { TimelineItemBody($0, at: now) }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Export all that is held about a user, as JSON Lines.",
            discussion: """
                Each line is a row of a table; the last line has the number of rows. The export does not name the shop's \
                people, and of a bank account it says only that there is one. A file gets its name only when it is complete.
                """)

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @Option(help: "The output file; - for standard output.") var output = "-"
        @Flag(help: "Replace an existing file.") var force = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await common.withLedger { ledger in
                let export = try await ledger.exports.begin(of: user).get()
                let file = try OutputFile(output, isForced: force)
                try await export.run { try file.write($0) }
                try file.complete()
            }
        }
    }
}

/// What a user has, and what is open about the user.
private struct UserStanding: Encodable {
    let findings: [FindingBody]
    let receipts: [StoredReceiptBody]
    let balance: BalanceBody
    let purchases: [PurchaseBody]
    let refunds: [RefundBody]
    let holds: [HoldBody]
    let lots: [LotBody]

    private static let most = 100

    /// - Throws: ``Refused`` for a user of whom there is no record.
    static func read(_ user: UserID, from ledger: Ledger) async throws -> UserStanding {
        let findings = try await ledger.findings.list(FindingFilter(user: user), limit: most).elements
        let isKnown = try await ledger.search.knows(user)
        guard isKnown || !findings.isEmpty else {
            throw Refused("there is no record of this user: ids are compared exactly")
        }
        let purchases = try await ledger.purchases.latest(of: user, limit: most).elements
        return UserStanding(
            findings: findings.map { FindingBody($0) },
            receipts: try await ledger.retries.list(of: user, .waiting, limit: most).elements.map {
                StoredReceiptBody($0)
            },
            balance: BalanceBody(try await ledger.balances.find(of: user)),
            purchases: purchases.map { PurchaseBody($0.purchase) },
            refunds: purchases.flatMap(\.refunds).map(RefundBody.init),
            holds: try await ledger.holds.list(of: user, .open, limit: most).elements.map(HoldBody.init),
            lots: try await ledger.lots.list(of: user, limit: most).elements.map(LotBody.init))
    }

    var text: String {
        let sections: [(title: String, columns: [TextTable.Column], rows: [[TextTable.Cell]])] = [
            ("Open findings", FindingRow.columns, findings.map(FindingRow.cells)),
            ("Receipts that wait", ReceiptRow.columns, receipts.map(ReceiptRow.cells)),
            ("Balance", BalanceRow.columns, [BalanceRow.cells(balance)]),
            ("Purchases", PurchaseRow.columns, purchases.map(PurchaseRow.cells)),
            ("Refunds", RefundRow.columns, refunds.map(RefundRow.cells)),
            ("Holds", HoldRow.columns, holds.map(HoldRow.cells)),
            ("Coins, those that expire first on top", LotRow.columns, lots.map(LotRow.cells)),
        ]
        return sections.filter { !$0.rows.isEmpty }
            .map { "\($0.title)\n\(TextTable.text($0.columns, $0.rows))" }.joined(separator: "\n\n")
    }
}

private enum BalanceRow {
    static let columns: [TextTable.Column] = [
        .number("AVAILABLE"), .number("PAID"), .number("BONUS"), .number("HELD"), .number("DEBT"),
    ]

    static func cells(_ balance: BalanceBody) -> [TextTable.Cell] {
        [
            .init(balance.available), .init(balance.paid), .init(balance.bonus), .init(balance.held),
            .init(balance.debt),
        ]
    }
}

private enum HoldRow {
    static let columns: [TextTable.Column] = [
        .number("ID"), .text("STATUS"), .number("COINS"), .number("REMAINING"), .text("REFERENCE"), .text("PLACED"),
        .text("EXPIRES"),
    ]

    static func cells(_ hold: HoldBody) -> [TextTable.Cell] {
        [
            .init(hold.id), .init(hold.status), .init(hold.coins), .init(hold.remaining), .init(hold.reference ?? ""),
            .init(hold.placedAt), .init(hold.expiresAt),
        ]
    }
}

private enum LotRow {
    static let columns: [TextTable.Column] = [
        .number("ID"), .text("KIND"), .number("REMAINING"), .number("HELD"), .number("COINS"), .text("ACQUIRED"),
        .text("EXPIRES"),
    ]

    static func cells(_ lot: LotBody) -> [TextTable.Cell] {
        [
            .init(lot.id), .init(lot.kind), .init(lot.remaining), .init(lot.held), .init(lot.coins),
            .init(lot.acquiredAt), .init(lot.expiresAt),
        ]
    }
}

extension SearchMatch {
    fileprivate static let columns: [TextTable.Column] = [
        .text("USER"), .text("FOUND AS"), .text("ID"), .text("REFERENCE"), .text("TIME"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(user.rawValue), .init(kind.rawValue), .init(id.map { "\($0)" } ?? ""), .init(merchantUID ?? ""),
            .init(at),
        ]
    }
}

extension TimelineItem {
    fileprivate static let columns: [TextTable.Column] = [
        .text("TIME"), .text("WHAT"), .number("COINS"), .text("REFERENCE"), .text("TEXT"),
    ]

    fileprivate var row: [TextTable.Cell] {
        switch self {
        case .entry(let entry):
            [
                .init(at), .init(entry.kind), .init(entry.coins), .init(entry.reference), .init(entry.reason ?? ""),
            ]
        case .receipt(let receipt):
            [
                .init(at), .init("receipt \(receipt.status.rawValue)"), "", .init("receipt:\(receipt.id)"),
                .init("\(receipt.reason), \(receipt.payment.merchantUID)"),
            ]
        case .order(let order):
            [.init(at), "order", "", .init("order:\(order.id)"), .init("\(order.product), \(order.merchantUID)")]
        case .note(let note):
            [.init(at), "note", "", .init("note:\(note.id)"), .init("\(note.writtenBy): \(note.text)")]
        }
    }
}

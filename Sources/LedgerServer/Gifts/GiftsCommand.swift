import ArgumentParser
import Foundation
import Ledger
import LedgerWire

struct GiftsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gifts", abstract: "List the gifts of coins from and to a user, newest first.",
        discussion: """
            A service gives coins of a user to another one (POST /v1/users/{user}/transfers). LEFT is what the \
            receiver has of it, in the wallet or on hold, and has not given on. A refund of the purchase takes coins back from \
            whoever has them.
            """)

    @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
    @OptionGroup var list: ListOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let found = try await common.withLedger { try await $0.gifts.list(of: user, limit: list.limit + 1) }
        let shown = Array(found.prefix(list.limit))
        try list.show(shown, hasMore: found.count > shown.count, ListedGift.columns) {
            $0.row
        } body: {
            ListedGiftBody($0)
        }
    }
}

/// A gift as a command prints it.
private struct ListedGiftBody: ListedBody {
    static let listName = "gifts"

    let id: Int64
    let from: String
    let to: String
    let coins: Int64
    /// The coins of it that its receiver has and has not given on.
    let left: Int64
    let recordedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, from, to, coins, left
        case recordedAt = "recorded_at"
    }

    init(_ gift: ListedGift) {
        (id, from, to) = (gift.id, gift.giver.rawValue, gift.receiver.rawValue)
        (coins, left, recordedAt) = (gift.coins, gift.left, gift.recordedAt)
    }
}

extension ListedGift {
    fileprivate static let columns: [TextTable.Column] = [
        .number("GIFT"), .text("FROM"), .text("TO"), .number("COINS"), .number("LEFT"), .text("GIVEN"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(id), .init(giver.rawValue), .init(receiver.rawValue), .init(coins), .init(left), .init(recordedAt),
        ]
    }
}

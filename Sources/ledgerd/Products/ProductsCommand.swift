import ArgumentParser
import Ledger
import LedgerWire
import Logging
import Postgres

struct ProductsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "products", abstract: "List, add, change and retire products.",
        discussion: """
            Products on sale must have different prices, because the amount of a payment without an order identifies its
            product. A changed or retired product still credits payments that started while it was on sale.
            """,
        subcommands: [List.self, Add.self, Change.self, Retire.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the products on sale, cheapest first.")

        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let products = try await common.withLedger { try await $0.products.list() }
            if json {
                let body = ProductsBody(products: products.map { ProductBody($0) })
                print(String(buffer: try AnswerJSON.encode(body)))
            } else if products.isEmpty {
                print("no products are on sale; see `ledgerd products add --help`")
            } else {
                print(TextTable.text(Product.columns, products.map(\.row)))
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put a new product on sale.")

        @Argument(help: "The product's code, such as coins_100. It can't be changed.") var code: String
        @Option(help: "The title for people, 1 to 40 characters.") var title: String
        @Option(help: "The price, in won.", transform: Parse.price) var price: Price
        @Option(help: "The number of paid coins.", transform: Parse.coins) var coins: Coins
        @Option(help: "The number of bonus coins (default: 0).", transform: Parse.bonus) var bonus: Bonus?
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let draft = ProductDraft(
                code: code, title: title, price: price, coins: coins, bonusCoins: bonus?.coins)
            print("on sale: \(try await common.withLedger { try await $0.products.add(draft) }.line)")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a product on sale; values without an option stay.")

        @Argument(help: "The product's name.") var code: String
        @Option(help: "The title for people, 1 to 40 characters.") var title: String?
        @Option(help: "The price, in won.", transform: Parse.price) var price: Price?
        @Option(help: "The number of paid coins.", transform: Parse.coins) var coins: Coins?
        @Option(help: "The number of bonus coins.", transform: Parse.bonus) var bonus: Bonus?
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard title != nil || price != nil || coins != nil || bonus != nil else {
                throw ValidationError("Nothing to change: give --title, --price, --coins or --bonus.")
            }
        }

        func run() async throws {
            let (title, price, coins, bonus) = (title, price, coins, bonus)
            let product = try await common.withLedger { ledger in
                try await ledger.products.change(code) { draft in
                    draft.title = title ?? draft.title
                    draft.price = price ?? draft.price
                    draft.coins = coins ?? draft.coins
                    draft.bonusCoins = bonus.map(\.coins) ?? draft.bonusCoins
                }
            }
            print("on sale: \(product.line)")
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take a product off sale.")

        @Argument(help: "The product's name.") var code: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            print("retired: \(try await common.withLedger { try await $0.products.retire(code) }.line)")
        }
    }
}

/// The bonus coins of a product; nil coins: none.
struct Bonus: Sendable {
    let coins: Coins?
}

private enum Parse {
    static func price(_ text: String) throws -> Price {
        guard let price = Int64(text).flatMap(Price.init(won:)) else {
            throw ValidationError("must be a whole number of won, from 1 to \(Price.highest)")
        }
        return price
    }

    static func coins(_ text: String) throws -> Coins {
        guard let coins = Int64(text).flatMap(Coins.init) else {
            throw ValidationError("must be a whole number of coins, from 1 to \(Coins.most)")
        }
        return coins
    }

    static func bonus(_ text: String) throws -> Bonus {
        text == "0" ? Bonus(coins: nil) : Bonus(coins: try coins(text))
    }
}

extension Product {
    fileprivate static let columns: [TextTable.Column] = [
        .text("CODE"), .text("TITLE"), .number("PRICE"), .text("CURRENCY"), .number("COINS"), .number("BONUS"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(code), .init(title), .init(price.amount), .init(price.currency.code), .init(coins.count),
            .init(bonusCoins?.count ?? 0),
        ]
    }

    /// One line for a terminal.
    fileprivate var line: String {
        let bonus = bonusCoins.map { " + \($0.count) bonus" } ?? ""
        return "\(code), \(title), \(price.amount) \(price.currency.code), \(coins.count) coins\(bonus)"
    }
}

extension SettingFlags {
    /// Opens the ledger for one command, and closes it afterwards.
    func withLedger<Answer>(_ body: (Ledger) async throws -> Answer) async throws -> Answer {
        let values = try values()
        let configuration = LedgerConfiguration(
            database: try values.database, replica: try values.replica, writers: 1, readConnections: 1,
            lotOrdering: try values[Settings.coins.lotOrder])
        let ledger = try await Ledger.open(configuration, logger: Logger(label: "ledgerd"))
        do {
            let answer = try await body(ledger)
            await ledger.close()
            return answer
        } catch {
            await ledger.close()
            throw error
        }
    }
}

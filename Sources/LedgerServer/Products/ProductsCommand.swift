import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire
import Logging
import Postgres

struct ProductsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "products", abstract: "List, add, change, plan and retire products.",
        discussion: """
            Products on sale must have different prices, because the amount of a payment without an order identifies its
            product. A changed or retired product still credits payments that started while it was on sale. Orders can also be
            paid in other currencies, in which the product has a price: see `ledgerd products price`.
            """,
        subcommands: [List.self, Add.self, Change.self, Retire.self, Withdraw.self, ProductPriceCommand.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the products on sale, cheapest first.")

        @Flag(help: "Print JSON.") var json = false
        @Flag(help: "List the products whose sale is planned, the next one first.") var planned = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            if planned { return try await printPlanned() }
            let (products, prices) = try await common.withLedger {
                (try await $0.products.listWithPrices(), try await $0.products.foreignPrices())
            }
            if json {
                let body = ProductsBody(products: products.map { ProductBody($0) })
                print(String(buffer: try AnswerJSON.encode(body)))
            } else if products.isEmpty {
                print("no products are on sale; see `ledgerd products add --help`")
            } else {
                print(TextTable.text(Product.columns, products.map(\.row)))
            }
            if !json { printPrices(prices) }
        }

        func validate() throws {
            if json, planned { throw ValidationError("--json applies only to products on sale.") }
        }

        private func printPlanned() async throws {
            let (products, prices) = try await common.withLedger {
                (try await $0.products.planned(), try await $0.products.plannedPrices())
            }
            guard !products.isEmpty || !prices.isEmpty else { return print("no sale is planned") }
            defer { printPrices(prices) }
            guard !products.isEmpty else { return }
            print(
                TextTable.text(
                    Product.columns + [.text("FROM"), .text("UNTIL")],
                    products.map { product in
                        product.row + [
                            .init(RFC3339.string(from: product.activeFrom)),
                            .init(product.activeUntil.map { RFC3339.string(from: $0) } ?? "-"),
                        ]
                    }))
        }

        private func printPrices(_ prices: [ProductPrice]) {
            if !prices.isEmpty { print(TextTable.text(ProductPrice.columns, prices.map(\.row))) }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put a new product on sale.")

        @Argument(help: "The product's code, such as coins_100. It can't be changed.") var code: String
        @Option(help: "The title for people, 1 to 40 characters.", transform: TextOption.text) var title: String
        @Option(help: "The price, in won.", transform: ProductParse.price) var price: Price
        @Option(help: "The number of paid coins.", transform: ProductParse.coins) var coins: Coins
        @Option(help: "The number of bonus coins (default: 0).", transform: ProductParse.bonus) var bonus: Bonus?
        @OptionGroup var lifetimes: LifetimeOptions
        @Option(help: VATRule.help) var vat = VATRule.atUse
        @OptionGroup var sale: SaleOptions
        @OptionGroup var prices: KeptPricesOption
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let draft = ProductDraft(
                code: code, title: title, price: price, coins: coins, bonusCoins: bonus?.coins,
                sale: SalePeriod(from: sale.from, until: sale.until),
                lifetimes: lifetimes.changing(ProductLifetimes()), vat: vat)
            let product = try await common.change(.addProduct, of: code, by: person) {
                try await $0.add(draft, keepsPrices: prices.keepPrices)
            }
            print(product.announcement(isPlanned: sale.from != nil))
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a product on sale; values without an option stay.")

        @Argument(help: "The product's name.") var code: String
        @Option(help: "The title for people, 1 to 40 characters.", transform: TextOption.text) var title: String?
        @Option(help: "The price, in won.", transform: ProductParse.price) var price: Price?
        @Option(help: "The number of paid coins.", transform: ProductParse.coins) var coins: Coins?
        @Option(help: "The number of bonus coins.", transform: ProductParse.bonus) var bonus: Bonus?
        @OptionGroup var lifetimes: LifetimeOptions
        @Option(help: VATRule.help) var vat: VATRule?
        @OptionGroup var sale: SaleOptions
        @OptionGroup var prices: KeptPricesOption
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func validate() throws {
            let isGiven = [
                title != nil, price != nil, coins != nil, bonus != nil, lifetimes.isGiven, vat != nil,
                sale.until != nil,
            ]
            guard isGiven.contains(true) else {
                throw ValidationError(
                    """
                    Nothing to change: give --title, --price, --coins, --bonus, --coin-days, --bonus-coin-days, --vat \
                    or --until.
                    """)
            }
        }

        func run() async throws {
            let (title, price, coins, bonus, sale, lifetimes, vat) = (
                title, price, coins, bonus, sale, lifetimes, vat
            )
            let product = try await common.change(.changeProduct, of: code, by: person) { products in
                try await products.change(code, keepsPrices: prices.keepPrices) { draft in
                    draft.title = title ?? draft.title
                    draft.price = price ?? draft.price
                    draft.coins = coins ?? draft.coins
                    draft.bonusCoins = bonus.map(\.coins) ?? draft.bonusCoins
                    draft.lifetimes = lifetimes.changing(draft.lifetimes)
                    draft.vat = vat ?? draft.vat
                    draft.sale.from = sale.from
                    draft.sale.until = sale.until ?? draft.sale.until
                }
            }
            print(product.announcement(isPlanned: sale.from != nil))
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take a product off sale.")

        @Argument(help: "The product's name.") var code: String
        @Option(help: "The RFC 3339 time of the end (default: now).", transform: ProductParse.time) var at: Date?
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let product = try await common.change(.retireProduct, of: code, by: person) {
                try await $0.retire(code, at: at)
            }
            print("retired\(at.map { " at " + RFC3339.string(from: $0) } ?? ""): \(product.line)")
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw the planned sales of a product.",
            discussion: "A product on sale goes on as it is in the time of a planned change that is withdrawn.")

        @Argument(help: "The product's name.") var code: String
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let withdrawn = try await common.change(.withdrawProduct, of: code, by: person) {
                try await $0.withdraw(code)
            }
            for product in withdrawn { print("withdrawn: \(product.line)") }
        }
    }
}

extension VATRule: ExpressibleByArgument {
    fileprivate static let help: ArgumentHelp =
        "When VAT arises, if it is on: at_use, at_sale, or exempt for never (default of a new product: at_use)."
}

extension Product {
    fileprivate static let columns: [TextTable.Column] = [
        .text("CODE"), .text("TITLE"), .number("PRICE"), .text("CURRENCY"), .number("COINS"), .number("BONUS"),
        .text("COIN LIFE"), .text("BONUS LIFE"), .text("VAT"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(code), .init(title), .init(price.amount), .init(price.currency.code), .init(coins.count),
            .init(bonusCoins?.count ?? 0), .init(Self.text(lifetimes.paid)), .init(Self.text(lifetimes.bonus)),
            .init(vat.rawValue),
        ]
    }

    private static func text(_ lifetime: CoinLifetime?) -> String {
        switch lifetime {
        case nil: "default"
        case .forever: "forever"
        case .days(let days): "\(days) d"
        }
    }

    /// That the product is sold, now or from a moment to come.
    fileprivate func announcement(isPlanned: Bool) -> String {
        let until = activeUntil.map { " until \(RFC3339.string(from: $0))" } ?? ""
        return (isPlanned ? "planned from \(RFC3339.string(from: activeFrom))" : "on sale") + until + ": " + line
    }

    /// One line for a terminal.
    fileprivate var line: String {
        let bonus = bonusCoins.map { " + \($0.count) bonus" } ?? ""
        let life = [("paid", lifetimes.paid), ("bonus", lifetimes.bonus)].map { kind, lifetime in
            switch lifetime {
            case nil: ""
            case .forever: ", \(kind) coins forever"
            case .days(let days): ", \(kind) coins for \(days) days"
            }
        }
        return "\(code), \(title), \(price.amount) \(price.currency.code), \(coins.count) coins\(bonus)" + life.joined()
            + (vat == .atUse ? "" : ", VAT \(vat.rawValue)")
    }
}

extension SettingFlags {
    /// Opens the ledger for one command, and closes it afterwards.
    func withLedger<Answer>(_ body: (Ledger) async throws -> Answer) async throws -> Answer {
        let values = try values()
        let configuration = LedgerConfiguration(
            database: try values.database, replica: try values.replica, writers: 1, readConnections: 1,
            lotOrdering: try values[Settings.coins.lotOrder], vatSettings: try values.vatSettings,
            coinDays: try values.coinDays)
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

import ArgumentParser
import CivilTime
import Foundation
import Ledger

/// Prices of products in foreign currencies.
struct ProductPriceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "price", abstract: "Set, plan and end prices of products in other currencies.",
        discussion: "\(ProductPrice.help) See PUT /v1/rates/{currency}/{day}.",
        subcommands: [Set.self, End.self, Withdraw.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sell a product at a price in another currency, in place of its price there.")

        @OptionGroup var product: ProductInCurrency
        @Argument(help: "The price, in the currency's unit, such as 0.99.") var price: String
        @OptionGroup var sale: SaleOptions
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func validate() throws { _ = try read() }

        func run() async throws {
            let (price, sale) = (try read(), SalePeriod(from: sale.from, until: sale.until))
            let set = try await common.change(.setPrice, of: product.code, by: person) {
                try await $0.setPrice(price, of: product.code, sale)
            }
            let start = sale.from == nil ? "on sale" : "planned from \(RFC3339.string(from: set.activeFrom))"
            print(start + (set.activeUntil.map { " until \(RFC3339.string(from: $0))" } ?? "") + ": \(set.line)")
        }

        private func read() throws -> ForeignPrice {
            guard let read = ForeignPrice(text: price, in: product.currency) else {
                throw ValidationError("The price must be an amount above 0 in \(product.currency.code), such as 0.99.")
            }
            return read
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End the sale of a product in another currency.")

        @OptionGroup var product: ProductInCurrency
        @Option(help: "The RFC 3339 time of the end (default: now).", transform: ProductParse.time) var at: Date?
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let ended = try await common.change(.endPrice, of: product.code, by: person) {
                try await $0.endPrice(of: product.code, in: product.currency, at: at)
            }
            print("ended\(at.map { " at " + RFC3339.string(from: $0) } ?? ""): \(ended.line)")
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw the planned prices of a product in another currency.",
            discussion: "The present price goes on in the time of a planned one that is withdrawn.")

        @OptionGroup var product: ProductInCurrency
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let withdrawn = try await common.change(.withdrawPrice, of: product.code, by: person) {
                try await $0.withdrawPrices(of: product.code, in: product.currency)
            }
            for price in withdrawn { print("withdrawn: \(price.line)") }
        }
    }
}

/// A product and one of its currencies.
struct ProductInCurrency: ParsableArguments {
    @Argument(help: "The product's code.") var code: String
    @Argument(help: "The currency's ISO 4217 code, such as USD.", transform: ProductParse.currency)
    var currency: ForeignCurrency
}

extension ProductParse {
    static func currency(_ text: String) throws -> ForeignCurrency {
        do {
            return try ForeignCurrency(text)
        } catch ForeignCurrency.Fault.functional {
            throw ValidationError("must be another currency than won, whose price is the product's own")
        } catch {
            throw ValidationError("must be a code of ISO 4217 in capital letters")
        }
    }
}

extension ProductPrice {
    /// What people need to know who set one, at a terminal and in the console.
    package static let help =
        "A product keeps its price in won. An order names the currency that it is paid in. A currency needs a published "
        + "rate first."

    static let columns: [TextTable.Column] = [
        .text("PRODUCT"), .number("PRICE"), .text("CURRENCY"), .text("FROM"), .text("UNTIL"),
    ]

    var row: [TextTable.Cell] {
        [
            .init(product), .init(price.text), .init(price.currency.code), .init(RFC3339.string(from: activeFrom)),
            .init(activeUntil.map { RFC3339.string(from: $0) } ?? "-"),
        ]
    }

    /// One line for a terminal.
    fileprivate var line: String { "\(product), \(price.text) \(price.currency.code)" }
}

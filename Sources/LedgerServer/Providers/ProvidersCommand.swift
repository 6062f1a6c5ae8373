import ArgumentParser
import CivilTime
import Crypto
import Foundation
import Ledger

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "Show and set the terms of providers, and what is owed to them.",
        discussion: """
            A capture for a provider with terms books the provider's share of the won. A provider without terms earns \
            coins only. See docs/providers.md.
            """,
        subcommands: [
            List.self, Set.self, Statement.self, Repay.self, ProviderAccountCommand.self,
        ], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the providers with terms, and what is owed to them in won.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await collect { try await ledger.providers.list(after: $0, limit: 100) }
            }
            print(TextTable.text(ProviderBalance.columns, found.flatMap(\.rows)))
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a provider's terms, which apply to later captures.")

        @Argument(help: "The provider's id.", transform: ProviderArgument.provider) var provider: UserID
        @Option(
            help: "Only for captures that name this product. Without it: for all products without terms of their own.",
            transform: TextOption.text)
        var product: String?
        @Option(help: "The provider's share of the recognised won, in basis points: 0 to 10000.") var share: Int64
        @Option(help: "Our role: agent (our revenue is the commission) or principal (the share is our cost).")
        var role: ProviderTerms.Role
        @Option(
            help: """
                The tax that is withheld from payouts: none or business_income (3.3 %). Without it: as before, and for \
                first terms --provider-withholding.
                """)
        var withholding: ProviderTerms.Withholding?
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<TermsSettings>

        func validate() throws {
            do { try ProviderTermsActs.check(draft) } catch {
                throw error.field == "withholding" ? error.of(Self.self) : ValidationError("--share \(error.rule)")
            }
        }

        private var draft: ProviderTermsDraft {
            ProviderTermsDraft(
                provider: provider, item: product, share: share, role: role, withholding: withholding)
        }

        func run() async throws {
            let standard = try settings.values()[Settings.coins.providerWithholding]
            let terms = try await settings.withLedger { ledger in
                try await ProviderTermsActs(ledger: ledger, standardWithholding: standard)
                    .setTerms(draft, by: person.name)
            }
            print("terms \(terms.id) apply since \(RFC3339.string(from: terms.setAt))")
        }
    }

    struct Statement: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a provider's captures, reversals, repayments and payouts in won, newest first.")

        @Argument(help: "The provider's id.", transform: ProviderArgument.provider) var provider: UserID
        @Option(help: "The number of lines, 1 to 1000.") var limit = 50
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let lines = try await common.withLedger { ledger in
                try await ledger.providers.accountLines(of: provider, limit: min(max(limit, 1), 1000)).elements
            }
            print(TextTable.text(ProviderAccountLine.columns, lines.map(\.row)))
        }
    }
}

extension ProvidersCommand {
    struct Repay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Record that a provider paid back a claim, by a transfer to our bank.")

        @Argument(help: "The provider's id.", transform: ProviderArgument.provider) var provider: UserID
        @Option(help: "The won that were paid back: at most the claim.") var amount: Int64
        @Option(help: "When the money reached our bank: \(CalendarMoment.rule), not in the future.") var paidAt: String
        @Option(
            help: "The bank's reference. A repeat with the same reference and amount changes nothing.",
            transform: TextOption.text)
        var bankReference: String
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            guard let won = Price(won: amount) else { throw ValidationError("--amount must be an amount in won") }
            let moment = try CalendarMoment.date(
                of: "--paid-at", paidAt, in: try settings.values()[Settings.books.timeZone])
            let payment = try BankPayment(paidAt: moment, reference: bankReference)
            let told = "\(provider.rawValue)\n\(amount)\n\(bankReference)"
            let hash = SHA256.hash(data: Data(told.utf8)).map { String(format: "%02x", $0) }.joined()
            let key = try person.key("repayment-\(hash)")
            let repaid = try await settings.withLedger { ledger in
                try await ProviderActs(ledger: ledger).repay(won, by: provider, payment, under: key).success
            }
            print("entry \(repaid.journalEntryID): \(repaid.amount) KRW paid back, \(-repaid.payable) KRW are left")
        }
    }
}

/// The settings of a command that sets a provider's terms.
enum TermsSettings: SettingList {
    static let settings = CommonSettings.settings + [Settings.coins.providerWithholding]
}

/// The argument that names a provider.
enum ProviderArgument {
    static func provider(_ text: String) throws -> UserID {
        guard let provider = UserID(rawValue: text) else { throw ValidationError("must be \(UserID.rule)") }
        return provider
    }
}

extension ProviderTerms.Role: ExpressibleByArgument {}
extension ProviderTerms.Withholding: ExpressibleByArgument {}

extension ProviderBalance {
    fileprivate static let columns: [TextTable.Column] = [
        .text("PROVIDER"), .text("PRODUCT"), .number("SHARE"), .text("ROLE"), .text("WITHHOLDING"),
        .number("PAYABLE"),
    ]

    /// The terms of all products, then those of single products, a row each.
    fileprivate var rows: [[TextTable.Cell]] {
        ([terms] + ofItems).map { terms in
            [
                .init(terms.provider.rawValue), .init(terms.item ?? ""), .init(terms.share),
                .init(terms.role.rawValue), .init(terms.withholding.rawValue),
                terms.item == nil ? .init(payable) : .init(""),
            ]
        }
    }
}

extension ProviderAccountLine {
    fileprivate static let columns: [TextTable.Column] = [
        .text("TIME"), .text("KIND"), .number("ENTRY"), .number("AMOUNT"), .number("CHANGE"), .number("PAYABLE"),
        .text("PAYOUT"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(RFC3339.string(from: recordedAt)), .init(kind.rawValue), .init(journalEntryID), .init(won),
            .init(change), .init(balance), .init(payoutID.map { "\($0)" } ?? ""),
        ]
    }
}

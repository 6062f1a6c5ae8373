import ArgumentParser
import CivilTime
import Foundation
import Ledger

struct PoliciesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policies", abstract: "Show and set accounting policies for breakage and bonus coins.",
        discussion: "Without a policy, nothing is adjusted. See docs/month-end.md.",
        subcommands: [List.self, Set.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the policies, the last set first.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await collect { try await ledger.adjustments.listPolicies(after: $0, limit: 100) }
            }
            print(TextTable.text(AccountingPolicy.columns, found.map(\.row)))
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a policy from a month on.",
            discussion: "Refused if this month or a later one is adjusted or closed.")

        @Argument(help: "breakage or bonus.") var subject: AccountingPolicy.Subject
        @Option(help: "The first month to which it applies, such as 2026-01.", transform: MonthOption.month)
        var from: CivilMonth
        @Option(help: "For breakage at_expiry or expected_pattern; for bonus none or relative_price.")
        var method: String
        @Option(help: "Of expected_pattern: of 1000 paid coins, those you expect to stay unused.") var expected: Int64?
        @Option(help: "Of expected_pattern: those that are highly probable to stay unused. Default: --expected.")
        var highlyProbable: Int64?
        @Option(help: "Of relative_price: the price of a bonus coin, if that of a paid coin is 1000. Default: 1000.")
        var bonusPrice: Int64?
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let zone = try settings.values()[Settings.books.timeZone]
            let chosen = try AccountingPolicy.Method.checked(
                method, of: subject, expected: expected, highlyProbable: highlyProbable, bonusPrice: bonusPrice)
            let setting = try await settings.withLedger { ledger in
                try await ledger.adjustments.setPolicy(chosen, from: from, in: zone, by: person.name)
            }
            let policy = try setting.policy
            print("policy \(policy.id): \(policy.method.subject.rawValue) \(policy.method.name) from \(policy.month)")
        }
    }
}

/// Options with a month.
enum MonthOption {
    static func month(_ text: String) throws -> CivilMonth {
        guard let month = CivilMonth(text) else { throw ValidationError("must be \(CivilMonth.rule)") }
        return month
    }
}

extension AccountingPolicy.Subject: ExpressibleByArgument {}

extension AccountingPolicy {
    fileprivate static let columns: [TextTable.Column] = [
        .number("POLICY"), .text("SUBJECT"), .text("FROM"), .text("METHOD"), .number("EXPECTED"),
        .number("HIGHLY PROBABLE"), .number("BONUS PRICE"), .text("SET BY"), .text("AT"),
    ]

    fileprivate var row: [TextTable.Cell] {
        func figure(_ value: Int64?) -> TextTable.Cell { .init(value.map { "\($0)" } ?? "") }
        return [
            .init(id), .init(method.subject.rawValue), .init(month.description), .init(method.name),
            figure(method.expected), figure(method.highlyProbable), figure(method.bonusPrice), .init(setBy),
            .init(RFC3339.string(from: setAt)),
        ]
    }
}

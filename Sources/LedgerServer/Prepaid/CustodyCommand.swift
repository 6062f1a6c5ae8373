import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire
import Timing

struct CustodyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "custody",
        abstract: "Enter what custodians hold for prepaid coins, and compare it with what they must hold.",
        subcommands: [Show.self, Add.self, List.self], defaultSubcommand: Show.self)

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what is outstanding and issued, the law's limits, and what is kept apart.")

        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var settings: SettingFlags<PrepaidCommandSettings>

        func run() async throws {
            let values = try settings.values()
            let (rules, zone) = (try PrepaidRules(values), try values[Settings.books.timeZone])
            let status = try await settings.withLedger { try await $0.prepaid.status(rules, in: zone) }
            let body = PrepaidBody(status, in: zone)
            print(json ? String(buffer: try AnswerJSON.encode(body)) : body.text)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enter what a custodian held at a moment.",
            discussion: "Balances can't be changed: enter the right one after a wrong one. 0 ends a custodian.")

        @Option(help: "The bank, trustee or insurer.", transform: TextOption.text) var custodian: String
        @Option(help: "trust, deposit or guarantee_insurance.") var method: CustodyBalance.Method
        @Option(help: "In won.") var balance: Int64
        @Option(help: "When the custodian held it: \(CalendarMoment.rule). Default: now.") var heldAt: String?
        @Option(help: "A note.", transform: TextOption.text) var note: String?
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<PrepaidCommandSettings>

        func run() async throws {
            let values = try settings.values()
            let zone = try values[Settings.books.timeZone]
            let moment = try heldAt.map { try CalendarMoment.date(of: "--held-at", $0, in: zone) } ?? Time.current.now
            let draft = CustodyBalanceDraft(
                custodian: custodian, method: method, balance: balance, heldAt: moment, note: note)
            try PrepaidActs.check(draft)
            let rules = try PrepaidRules(values)
            let (entered, safeguard) = try await settings.withLedger { ledger in
                try await PrepaidActs(prepaid: ledger.prepaid, rules: rules).enter(
                    draft, key: "ledgerd custody add/\(UUID().uuidString)", by: person.name)
            }
            print("entered: \(entered.balance.balance) KRW at \(custodian)")
            print("required \(safeguard.required), held \(safeguard.held), missing \(safeguard.shortfall) KRW")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the balances, the last entered first.")

        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var settings: CommonOptions

        func run() async throws {
            let bodies = try await settings.withLedger { ledger in
                try await collect { try await ledger.prepaid.listBalances(after: $0, limit: 500) }
                    .map(CustodyBalanceBody.init)
            }
            guard !json else { return print(String(buffer: try AnswerJSON.encode(bodies))) }
            let rows = bodies.map { body -> [TextTable.Cell] in
                [
                    .init(RFC3339.string(from: body.heldAt)), .init(body.custodian), .init(body.method),
                    .init(body.balance), .init(body.enteredBy), .init(body.note ?? ""),
                ]
            }
            print(
                TextTable.text(
                    [
                        .text("HELD AT"), .text("CUSTODIAN"), .text("METHOD"), .number("WON"), .text("BY"),
                        .text("NOTE"),
                    ], rows))
        }
    }
}

/// The settings of commands about prepaid means.
enum PrepaidCommandSettings: SettingList {
    static let settings = DaySettings.settings + Settings.prepaid.settings
}

extension CustodyBalance.Method: ExpressibleByArgument {}

extension PrepaidBody {
    /// The figures for a terminal.
    var text: String {
        let rows = quarters.map { quarter -> [TextTable.Cell] in
            [.init(quarter.quarter), .init(quarter.outstanding), .init(quarter.issued)]
        }
        return """
            outstanding: \(outstanding) KRW, \(bonusCoins) bonus coins
            in custody: required \(safeguard.required), held \(safeguard.held), missing \(safeguard.shortfall) KRW
            average of quarters: \(averageOutstanding) KRW, limit \(outstandingLimit)
            issued last year: \(issuedLastYear) KRW, in twelve months \(issuedInTwelveMonths), limit \(issuanceLimit)
            limits: \(isAboveLimit ? "reached" : "not reached")

            \(TextTable.text([.text("QUARTER"), .number("OUTSTANDING AT ITS END"), .number("ISSUED")], rows))
            """
    }
}

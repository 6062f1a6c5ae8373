import ArgumentParser
import CivilTime
import Foundation
import Ledger

struct PayoutsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payouts", abstract: "Propose, approve and book payouts to providers.",
        discussion: """
            A payout is proposed, approved by another person, paid at the bank, and booked. See docs/providers.md.
            """,
        subcommands: [List.self, Propose.self, Approve.self, Withdraw.self, Pay.self, File.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the payouts, newest first.")

        @Option(help: "Only payouts with this status: proposed, approved, withdrawn or paid.")
        var status: Payout.Status?
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await collect { try await ledger.payouts.list(status, after: $0, limit: 100) }
            }
            print(TextTable.text(Payout.columns, found.map(\.row)))
        }
    }

    struct Propose: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Propose to pay what is owed at a moment, to all providers or those that are named.")

        @Argument(help: "The providers' ids; default: all.", transform: ProviderArgument.provider)
        var providers: [UserID] = []
        @Option(help: "Captures recorded before this moment are paid: \(CalendarMoment.rule) (default: now).")
        var cutOff: String?
        @Option(help: "A note for people.", transform: TextOption.text) var note: String?
        @Option(help: "A name of the proposal: a repeat with the same name returns the first one.") var key: String?
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func validate() throws {
            guard !providers.isEmpty else { return }
            do { try PayoutActs.check(providers) } catch { throw error.of(Self.self) }
        }

        func run() async throws {
            let zone = try settings.values()[Settings.books.timeZone]
            let draft = PayoutDraft(
                key: try person.key(key ?? UUID().uuidString),
                cutOff: try cutOff.map { try CalendarMoment.date(of: "--cut-off", $0, in: zone) },
                providers: providers.isEmpty ? nil : providers, note: note)
            print(try await settings.withLedger { try await PayoutActs(ledger: $0).propose(draft) }.success.line)
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Approve a payout that another person proposed.")

        @Argument(help: "The payout's id.") var id: Int64
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let approved = try await common.withLedger { try await PayoutActs(ledger: $0).approve(id, by: person.name) }
            print(approved.line)
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw a payout that is not paid; its captures are free for the next one.")

        @Argument(help: "The payout's id.") var id: Int64
        @Option(help: "The reason.", transform: TextOption.text) var reason: String?
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let withdrawn = try await common.withLedger { ledger in
                try await PayoutActs(ledger: ledger).withdraw(id, because: reason, by: person.name)
            }
            print(withdrawn.line)
        }
    }

    struct Pay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Book that the bank has paid a payout.")

        @Argument(help: "The payout's id.") var id: Int64
        @Option(help: "When the bank paid: \(CalendarMoment.rule).") var paidAt: String
        @Option(help: "The bank's reference.", transform: TextOption.text) var bankReference: String
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let zone = try settings.values()[Settings.books.timeZone]
            let payment = try BankPayment(
                paidAt: try CalendarMoment.date(of: "--paid-at", paidAt, in: zone), reference: bankReference)
            let key = try person.key("payout-\(id)")
            let paid = try await settings.withLedger { try await PayoutActs(ledger: $0).pay(id, payment, under: key) }
            print(paid.success.line)
        }
    }

    struct File: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a payout's amounts as CSV, one row for each provider.")

        @Argument(help: "The payout's id.") var id: Int64
        @Option(
            help: "Bank accounts to add: a CSV file with the columns provider, bank, account and holder.",
            completion: .file())
        var accounts: String?
        @Option(name: .customLong("for"), help: "excel: a CSV that Excel opens without changing ids and accounts.")
        var program: String?
        @Flag(help: "Start the CSV with a byte-order mark, so that Excel shows Korean.") var bom = false
        @Flag(help: "Add the bank accounts that are kept; --accounts has those of the other providers.")
        var kept = false
        @Option(help: "The layout of a bank's bulk transfers: kb, shinhan or ibk; needs --kept or --accounts.")
        var layout: BankLayout?
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard layout != nil else { return }
            guard kept || accounts != nil else { throw ValidationError("--layout needs --kept or --accounts.") }
            guard program == nil, !bom else {
                throw ValidationError("--layout is the form of a bank: leave out --for and --bom.")
            }
        }

        func run() async throws {
            let (style, accounts) = (try style(), try bankAccounts())
            let bytes = try await common.withLedger { ledger in
                let acts = PayoutActs(ledger: ledger)
                let all = kept || accounts != nil ? try await acts.accounts(of: id, and: accounts) : nil
                if let layout, let all { return try await acts.file(of: id, in: layout, all) }
                return try await acts.file(of: id, style, all)
            }
            print(String(decoding: bytes, as: UTF8.self), terminator: "")
        }

        private func style() throws -> CSVStyle {
            var options: [ExportOption: String] = [:]
            options[.program] = program
            if bom { options[.byteOrderMark] = "true" }
            do { return try CSVStyle(options) } catch { throw error.inCommand }
        }

        private func bankAccounts() throws -> PayoutAccounts? {
            guard let accounts else { return nil }
            return try AccountListOption.list(of: accounts)
        }
    }
}

extension Payout.Status: ExpressibleByArgument {}

extension Payout {
    fileprivate static let columns: [TextTable.Column] = [
        .number("ID"), .text("STATUS"), .text("CUT-OFF"), .number("PROVIDERS"), .number("AMOUNT"),
        .number("WITHHELD"), .text("PROPOSED BY"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(id), .init(status.rawValue), .init(RFC3339.string(from: cutOff)), .init(providers), .init(amount),
            .init(withheld), .init(proposedBy),
        ]
    }

    /// One line for a terminal.
    fileprivate var line: String {
        "payout \(id) is \(status.rawValue): \(amount - withheld) KRW to \(providers) providers, \(withheld) KRW withheld"
    }
}

extension BankLayout: ExpressibleByArgument {}

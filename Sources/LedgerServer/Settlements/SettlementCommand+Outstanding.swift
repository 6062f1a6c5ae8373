import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

extension SettlementCommand {
    struct Outstanding: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the payments that make up what the gateways owe.")

        @Option(help: "The moment of the balance, \(CalendarMoment.rule). Default: now.")
        var asOf: String?
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let values = try settings.values()
            let zone = try values[Settings.books.timeZone]
            let moment = try asOf.map { try CalendarMoment.date(of: "--as-of", $0, in: zone) }
            try await settings.withLedger { try await print($0, asOf: moment) }
        }

        private func print(_ ledger: Ledger, asOf moment: Date?) async throws {
            var page = try await ledger.settlements.listOutstanding(asOf: moment, limit: 500)
            let asOf = RFC3339.string(from: page.asOf)
            Swift.print(
                json
                    ? #"{"as_of":"\#(asOf)","balance":\#(page.balance),"outstanding":["#
                    : page.accounts.map { "\($0.account): \($0.balance) KRW as of \(asOf)" }
                        .joined(separator: "\n"))
            var table = TextTable(OutstandingPayment.columns)
            var separator = json ? "" : "\n"
            while true {
                let lines =
                    json
                    ? try page.payments.map { String(buffer: try AnswerJSON.encode(OutstandingBody($0))) }
                    : table.lines(page.payments.map(\.row))
                if !page.payments.isEmpty {
                    Swift.print(separator + lines.joined(separator: json ? ",\n" : "\n"))
                    separator = json ? "," : ""
                }
                guard let next = page.next else { break }
                page = try await ledger.settlements.listOutstanding(after: next, limit: 500)
            }
            if json { Swift.print("]}") }
        }
    }
}

extension OutstandingPayment {
    fileprivate static let columns: [TextTable.Column] = [
        .number("PURCHASE"), .text("GATEWAY"), .text("IMP_UID"), .text("MERCHANT_UID"), .number("CREDITED"),
        .number("REFUNDED"), .number("SETTLED"), .number("OUTSTANDING"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(purchaseID), .init(payment.gateway), .init(payment.paymentID), .init(payment.merchantUID),
            .init(credited), .init(refunded), .init(settled), .init(outstanding),
        ]
    }
}

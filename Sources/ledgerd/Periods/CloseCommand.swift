import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

struct CloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Close the books of a period permanently.",
        discussion: """
            Entries that are effective before the moment never change. Later corrections are posted at the first open \
            moment, with the original time. A closing can't be undone.
            """)

    @Option(help: "The end of the period: \(CalendarMoment.rule). Everything before it is closed.")
    var until: String

    @Option(help: "The name of the person who closes the books (default: the user name in the system).")
    var by: String?

    @OptionGroup var settings: SettingFlags<DaySettings>

    func run() async throws {
        let values = try settings.values()
        let until = try CalendarMoment.date(of: "--until", until, in: values[Settings.books.timeZone])
        let closer = by ?? ProcessInfo.processInfo.userName
        switch try await settings.withLedger({ try await $0.periods.close(until: until, by: closer) }) {
        case .closed(let period): print("closed: everything before \(RFC3339.string(from: period.until))")
        case .already(let period):
            print("already closed at \(RFC3339.string(from: period.closedAt)) by \(period.closedBy)")
        case .behind(let period):
            throw Refused(description: "everything before \(RFC3339.string(from: period.until)) is already closed")
        case .notOver: throw Refused(description: "the period is not over; close it after its end")
        }
    }

    private struct Refused: Error, CustomStringConvertible {
        let description: String
    }
}

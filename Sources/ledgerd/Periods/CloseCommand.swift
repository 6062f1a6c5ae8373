import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

struct CloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Close the books of a period, for good.",
        discussion: """
            Nothing that is effective before the moment changes again. What is learned of it later is posted at the \
            first open moment and names the time that it is late for. A closing can't be taken back.
            """)

    @Option(help: "Everything before it is closed: \(CalendarMoment.rule), which means its beginning.")
    var until: String

    @Option(help: "Who closes (default: the name of the system's user).")
    var by: String?

    @OptionGroup var settings: SettingFlags<DaySettings>

    func run() async throws {
        let values = try settings.values()
        let until = try CalendarMoment.date(of: "--until", until, in: values[Settings.books.timeZone])
        let closer = by ?? ProcessInfo.processInfo.userName
        switch try await settings.withLedger({ try await $0.periods.close(until: until, by: closer) }) {
        case .closed(let period): print("closed: everything before \(RFC3339.string(from: period.until))")
        case .already(let period):
            print("closed already, at \(RFC3339.string(from: period.closedAt)) by \(period.closedBy)")
        case .behind(let period):
            throw Refused(description: "everything before \(RFC3339.string(from: period.until)) is closed already")
        case .notOver: throw Refused(description: "that period is not over: it can be closed when it is")
        }
    }

    private struct Refused: Error, CustomStringConvertible {
        let description: String
    }
}

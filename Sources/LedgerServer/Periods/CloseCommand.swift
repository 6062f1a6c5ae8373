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

            First the command shows what is open: findings, receipts, refunds, days without a reconciliation, \
            settlement lines, payments that are not settled, earlier closings without a seal. Nothing of it keeps the \
            period from being closed. Then it asks. Without a terminal it needs --yes.
            """)

    @Option(help: "The end of the period: \(CalendarMoment.rule). Everything before it is closed.")
    var until: String

    @OptionGroup var person: PersonOption

    @Option(help: "A payment that is outstanding for more than this number of days is open.")
    var unsettledDays = ClosingChecklist.unsettledDays

    @Flag(help: "Show what is open without closing.") var dryRun = false
    @Flag(name: .shortAndLong, help: "Close without asking.") var yes = false
    @Flag(help: "Print what is open as JSON; needs --dry-run.") var json = false

    @OptionGroup var settings: SettingFlags<DaySettings>

    func validate() throws {
        guard (0...ClosingChecklist.mostUnsettledDays).contains(unsettledDays) else {
            throw ValidationError("--unsettled-days must be from 0 to \(ClosingChecklist.mostUnsettledDays).")
        }
        guard !json || dryRun else { throw ValidationError("--json needs --dry-run.") }
        guard !yes || !dryRun else { throw ValidationError("Give --yes or --dry-run.") }
    }

    func run() async throws {
        let timeZone = try settings.values()[Settings.books.timeZone]
        let until = try CalendarMoment.date(of: "--until", until, in: timeZone)
        try await settings.withLedger { ledger in
            let checklist = try await ledger.periods.checklist(
                until: until, unsettledDays: unsettledDays, in: timeZone)
            guard !dryRun else { return try show(checklist) }
            StandardError.print(checklist.text)
            try confirm(until)
            report(try await PeriodActs(ledger: ledger).close(until: until, by: person.name))
        }
    }

    private func show(_ checklist: ClosingChecklist) throws {
        print(json ? String(buffer: try AnswerJSON.encode(ClosingChecklistBody(checklist))) : checklist.text)
    }

    /// Returns if the person at the terminal agrees, or if nobody is to be asked.
    private func confirm(_ until: Date) throws {
        guard !yes else { return }
        guard StandardInput.isTerminal else {
            throw Refused("not closed: there is no terminal to ask on; --yes closes without asking")
        }
        StandardError.write("Close everything before \(RFC3339.string(from: until)) permanently? [y/N] ")
        guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw Refused("not closed") }
    }

    private func report(_ closed: Performed<ClosedPeriod>) {
        let period = closed.success
        print(
            closed.isRepeat
                ? "already closed at \(RFC3339.string(from: period.closedAt)) by \(period.closedBy)"
                : "closed: everything before \(RFC3339.string(from: period.until))")
    }
}

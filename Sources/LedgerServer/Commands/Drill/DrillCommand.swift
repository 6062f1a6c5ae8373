import ArgumentParser
import CivilTime
import Foundation
import Ledger
import Postgres

struct DrillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drill", abstract: "Restore the latest backup, and prove that it holds the books.",
        discussion: """
            The backup is restored into a scratch cluster in a directory of its own. The doctor examines the restored \
            books, also with their newest seal. Then they are compared with the live books as of the moment up to which \
            they were restored: number of entries, chain head, and totals. The scratch cluster is always removed. \
            LEDGERD_DATABASE_URL is the live database, with the service's role. With LEDGERD_REPLICA_URL, the live books are \
            read from a standby.

            Exits 0 when the backup holds, 1 when it can't be restored, differs or is too old, 2 when the drill could \
            not be made.
            """)

    @Option(help: "The moment up to which to restore: \(CalendarMoment.rule) (default: all that is archived).")
    var to: String?

    @Option(
        help: """
            The shell command that restores the backup into the directory "$PGDATA" and, if "$RECOVERY_TARGET_TIME" is \
            not empty, up to that time (default: pgBackRest's restore of the stanza ledgerd).
            """)
    var restoreCommand: String?

    @Option(
        help: "Where the scratch cluster's directory is made. It needs as much space as the database.",
        completion: .directory)
    var directory = "/var/tmp"

    @Option(help: "The user that the restore command and PostgreSQL run as, if you are root.")
    var user = "postgres"

    @Option(
        help: "The directory of PostgreSQL's programs (default: Debian's, of the backup's version).",
        completion: .directory)
    var postgresBin: String?

    @Option(help: "How old the backup may be, such as 2d. WAL that was archived after it does not count.")
    var maxAge: String?

    @Option(help: "How long the whole drill may take.")
    var within = "12h"

    @Option(
        help: """
            The key that must have signed the newest seal, in base64 (default: that of the setting seal_key, or the one \
            that the seal names itself).
            """)
    var publicKey: String?

    @Option(
        help: "A file *.prom for the textfile collector of Prometheus's node exporter, which gets the result.",
        completion: .file(extensions: ["prom"]))
    var metrics: String?

    @Flag(help: "Write one JSON object.")
    var json = false

    @OptionGroup var settings: SettingFlags<DrillSettings>

    func validate() throws {
        _ = try duration("--max-age", maxAge)
        _ = try duration("--within", within)
        _ = try SealPublicKey.given(publicKey)
    }

    func run() async throws {
        let report = await attempt()
        if let metrics { try DrillMetrics(path: metrics).write(try? report.get()) }
        switch report {
        case .success(let report):
            print(json ? try DrillReportBody(report).text : report.text)
            if !report.holds { throw ExitCode(1) }
        case .failure(let error):
            if let error = error as? ValidationError { throw error }
            StandardError.print("Error: \(CommandFailure(error)?.description ?? "\(error)")")
            throw ExitCode(2)
        }
    }

    private func attempt() async -> Result<DrillReport, any Error> {
        do {
            let drill = try drill()
            let isWatched = StandardError.isTerminal
            defer { if isWatched { StandardError.replaceLine("") } }
            let limit = try duration("--within", within)
            return .success(try await Interruptible.run(within: limit) { try await drill.perform() })
        } catch is CancellationError {
            return .failure(DrillImpossible("the drill was stopped, or took longer than --within allows"))
        } catch {
            return .failure(error)
        }
    }

    private func drill() throws -> Drill {
        let values = try settings.values()
        var drill = Drill(live: try values.booksSource)
        drill.moment = try to.map { try CalendarMoment.date(of: "--to", $0, in: try values[Settings.books.timeZone]) }
        drill.cluster.restoreCommand = restoreCommand ?? drill.cluster.restoreCommand
        drill.cluster.parent = directory
        drill.cluster.user = user
        drill.cluster.programs = postgresBin
        drill.maxAge = try duration("--max-age", maxAge)
        drill.key = try SealPublicKey.given(publicKey) ?? values[Settings.books.sealKey]?.publicKey
        if StandardError.isTerminal { drill.progress = { StandardError.replaceLine($0) } }
        return drill
    }

    private func duration(_ option: String, _ text: String?) throws -> Duration? {
        guard let text else { return nil }
        guard let duration = DurationText.parse(text) else {
            throw ValidationError("\(option) must be a duration such as 20s, 6h or 2d.")
        }
        return duration
    }
}

/// The settings that a drill reads.
enum DrillSettings: SettingList {
    static let settings = ReportSettings.settings + [Settings.books.sealKey]
}

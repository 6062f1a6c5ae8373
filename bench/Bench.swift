import ArgumentParser
import Foundation

@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "./dev bench",
        abstract: "Measures ledgerd on this machine.",
        discussion: """
            Parts: \(allParts.map { $0.name }.joined(separator: ", ")). \
            Without a part, all are measured.

            The run ends with the figures and the targets. A target is the ratio of two figures of the same round, \
            which are measured in turns of seconds; the best slice of each counts. After each measurement, the books \
            are compared with what was acknowledged. If they differ, the figure is void, and the exit code is 1. It is \
            1, too, when a part that you name misses a target.

            \(PeersPart.explanation)
            """)

    @Argument(help: "The parts to measure.")
    var parts: [String] = []

    @Option(help: "The number of rounds. Default: 3.")
    var rounds: Int?

    @Option(help: "Seconds per measured rate. Default: 4.")
    var seconds: Double?

    @Option(
        help: """
            Numbers of purchases in the books for the growth part; the migrations part uses the largest. \
            Default: 0,1000000,10000000.
            """,
        transform: numbers)
    var purchases: [Int]?

    @Option(help: "Users of the console part, with two purchases each. Default: 1000000.")
    var users: Int?

    @Option(help: "Batch sizes of the engine. Default: 1,8,64,256,1024.", transform: numbers)
    var batches: [Int]?

    @Option(name: .customLong("set"), help: "A setting of ledgerd, such as writers=4 (repeatable).")
    var settings: [String] = []

    @Option(
        help: """
            The number of cores for PostgreSQL and ledgerd. Clients and gateway use the others, or all if none is left. \
            Default: all use all.
            """)
    var cores: Int?

    @Flag(help: "Measure little of everything: shows that the bench works, but no speed.")
    var quick = false

    @Option(help: "Write the figures to this file, as JSON.")
    var json: String?

    func validate() throws {
        for part in parts where !allParts.contains(where: { $0.name == part }) {
            throw ValidationError("unknown part: \(part)")
        }
        if parts.contains(PeersPart.name), PeersPart.directory == nil {
            throw ValidationError("peers: \(PeersPart.explanation)")
        }
        guard rounds ?? 1 >= 1, seconds ?? 1 >= 0.1, users ?? 1 >= 1 else {
            throw ValidationError("rounds, seconds and users must be positive")
        }
        guard (batches ?? []).allSatisfy({ (1...1024).contains($0) }) else {
            throw ValidationError("batch sizes must be 1 to 1024")
        }
        guard cores == nil || LoadCores.list != nil else {
            throw ValidationError("--cores needs ./dev bench, which confines PostgreSQL and this program")
        }
        guard settings.allSatisfy({ $0.contains("=") }) else { throw ValidationError("--set must be NAME=VALUE") }
    }

    func run() async throws {
        let scale = scale
        let targets = Target.all(scale)
        let report = BenchReport()
        let chosen = parts.isEmpty ? allParts : allParts.filter { parts.contains($0.name) }
        OpenFiles.raise()
        await inTurns(chosen.compactMap { $0 as? any ComparedPart.Type }[...], [], scale, report)
        let measured = chosen.compactMap { $0 as? any MeasuredPart.Type }
        for round in 1...scale.rounds {
            for part in measured where !Self.isOnce(part) {
                report.begin(round: round)
                show("\(part.name), round \(round) of \(scale.rounds)")
                await measure(part, scale, report)
            }
        }
        for part in measured where Self.isOnce(part) {
            report.begin(round: 1)
            show("\(part.name)")
            await measure(part, scale, report)
        }
        show("\n" + report.tables(targets))
        if let json { try report.json(scale, targets).write(to: URL(filePath: json)) }
        if report.isFailed(targets, named: parts, isQuick: quick) { throw ExitCode(1) }
    }

    /// Collects the contenders of the parts, and measures all rounds while what they need exists.
    ///
    /// A part that can't make what it needs is recorded as failed; the others are measured.
    private func inTurns(
        _ parts: ArraySlice<any ComparedPart.Type>, _ contenders: [Contender], _ scale: Scale, _ report: BenchReport
    ) async {
        guard let part = parts.first else { return await measure(contenders, scale, report) }
        show("preparing \(part.name)")
        var isLent = false
        do {
            try await part.init().withContenders(scale) { more in
                isLent = true
                await inTurns(parts.dropFirst(), contenders + more, scale, report)
            }
        } catch {
            report.fail(part.name, error)
            if !isLent { await inTurns(parts.dropFirst(), contenders, scale, report) }
        }
    }

    /// Measures all rounds of the contenders, in turns with those that they are compared with.
    private func measure(_ contenders: [Contender], _ scale: Scale, _ report: BenchReport) async {
        let groups = Turns.groups(contenders, by: Target.all(scale))
        for round in 1...scale.rounds {
            for group in groups {
                report.begin(round: round)
                show("\(group.flatMap(\.figures).joined(separator: ", ")), round \(round) of \(scale.rounds)")
                let turns = Turns(contenders: group, least: scale.slices, time: .seconds(scale.seconds))
                await turns.run(round, report)
            }
        }
    }

    private func measure(_ part: any MeasuredPart.Type, _ scale: Scale, _ report: BenchReport) async {
        do {
            try await part.init().measure(scale, report)
        } catch {
            report.fail(part.name, error)
        }
    }

    /// Whether a part runs only once.
    ///
    /// Filling a large ledger takes long; growth runs its rounds in each ledger, and exports and migrations are not
    /// compared with anything.
    private static func isOnce(_ part: any MeasuredPart.Type) -> Bool {
        part == GrowthPart.self || part == ExportPart.self || part == MigrationsPart.self
    }

    private var scale: Scale {
        var scale = quick ? Scale.quick : Scale()
        if let rounds { scale.rounds = rounds }
        if let seconds { scale.seconds = seconds }
        if let purchases { scale.sizes = purchases }
        if let users { scale.consoleUsers = users }
        if let batches { scale.batches = batches }
        if let cores { scale.cores = cores }
        for setting in settings {
            let name = setting.prefix { $0 != "=" }
            scale.settings["LEDGERD_\(name.uppercased())"] = String(setting.dropFirst(name.count + 1))
        }
        return scale
    }
}

/// Integers separated by commas.
private func numbers(_ text: String) throws -> [Int] {
    try text.split(separator: ",").map { part in
        guard let number = Int(part), number >= 0 else { throw ValidationError("\(part) is not a number") }
        return number
    }
}

/// Raises the limit of open files, because each connection is one.
private enum OpenFiles {
    static func raise() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

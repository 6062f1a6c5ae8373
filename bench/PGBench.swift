import Foundation

/// PostgreSQL's own client for measurements.
enum PGBench {
    /// Runs a script with some sessions for some time, at least a second.
    ///
    /// - Returns: transactions per second, and their number.
    static func run(
        _ script: String, sessions: Int, seconds: Double, at url: String, in directory: URL
    ) async throws -> (rate: Double, count: Int64) {
        let file = directory.appending(path: UUID().uuidString + ".sql")
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try await Program.run(
            "pgbench",
            [
                "-n", "-M", "prepared", "-c", "\(sessions)", "-j", "\(min(2, sessions))", "-T",
                "\(max(1, Int(seconds)))", "-f", file.path, url,
            ], in: directory)
        guard let rate = output.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }),
            let count = output.firstMatch(of: /actually processed: (\d+)/).flatMap({ Int64($0.1) })
        else { throw Program.Failed(description: "unexpected output of pgbench: \(output)") }
        return (rate, count)
    }
}

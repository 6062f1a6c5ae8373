import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import ledgerd_bench

/// The bench itself: little of everything, end to end, so that it can't rot.
@Suite(.timeLimit(.minutes(20))) struct QuickRunTests {
    @Test func `a quick run measures every target, and none of its figures is void`() async throws {
        let run = try await Self.bench(["--quick"])
        let targets = run.json?["targets"] as? [[String: Any]] ?? []
        #expect(run.exit == .code(0), "\(run.output.suffix(4000))")
        #expect(targets.count == Target.all(.quick).count)
        for target in targets {
            let verdict = target["verdict"] as? String
            #expect(verdict == "met" || verdict == "missed", "\(target)")
        }
        #expect((run.json?["failures"] as? [String]) == [])
        #expect(run.output.contains("start to ready"))
        // Whatever it started has ended with it.
        #expect(Self.servers(startedIn: run.directory) == [])
    }

    @Test func `a part alone measures no more, and an unknown one is refused`() async throws {
        let run = try await Self.bench(["start", "--quick"])
        #expect(run.exit == .code(0), "\(run.output)")
        #expect((run.json?["figures"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["start/ready"])
        #expect(try await Self.bench(["nonsense"]).exit == .code(64))
    }

    @Test func `another ledger is measured if somebody fetched it, and named in vain otherwise`() async throws {
        let peers = try Self.newDirectory()
        let files = [
            "schema/1.sql": "CREATE TABLE balance (user_number int PRIMARY KEY, coins bigint NOT NULL);",
            "accounts.sql": "INSERT INTO balance SELECT n, 0 FROM generate_series(1, :users) AS n;",
            "purchase.sql": "UPDATE balance SET coins = coins + 100 WHERE user_number = :user;",
        ]
        try FileManager.default.createDirectory(
            at: peers.appending(path: "other/schema"), withIntermediateDirectories: true)
        for (path, text) in files { try Data(text.utf8).write(to: peers.appending(path: "other/" + path)) }
        let run = try await Self.bench(["peers", "--quick"], peers: peers.path)
        #expect(run.exit == .code(0), "\(run.output)")
        let figures = run.json?["figures"] as? [[String: Any]] ?? []
        #expect(figures.map { $0["name"] as? String } == ["peers/other/1 client(s)", "peers/other/16 client(s)"])
        #expect(figures.allSatisfy { ($0["median"] as? Double ?? 0) > 0 })

        let unnamed = try await Self.bench(["peers", "--quick"])
        #expect(unnamed.exit == .code(64) && unnamed.output.contains("LEDGERD_BENCH_PEERS"), "\(unnamed.output)")
    }

    @Test func `a part that fails ends the run with 1`() async throws {
        let run = try await Self.bench(["start", "--quick", "--set", "writers=none"])
        #expect(run.exit == .code(1) && run.output.contains("FAILED: start"), "\(run.output)")
    }

    @Test func `what it started ends with it, also when it is killed`() async throws {
        let directory = try Self.newDirectory()
        let process = try Self.start(["reads", "--quick", "--seconds", "30"], in: directory)
        // They end with the bench from when setpriv has become the server.
        try await eventually("both servers run") {
            Self.servers(startedIn: directory).count { !Self.program(of: $0).hasSuffix("/setpriv") } == 2
        }
        process.signal(SIGINT)
        #expect(try await process.exit() == .signal(SIGINT))
        try await eventually("nothing of it runs") { Self.servers(startedIn: directory).isEmpty }
    }

    // MARK: -

    private static func bench(
        _ arguments: [String], peers: String = ""
    ) async throws -> (exit: ChildProcess.Exit, output: String, json: [String: Any]?, directory: URL) {
        let directory = try newDirectory()
        let file = directory.appending(path: "figures.json")
        let process = try start(arguments + ["--json", file.path], peers: peers, in: directory)
        let exit = try await process.exit()
        let json = (try? Data(contentsOf: file)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        return (exit, process.standardOutput + process.standardError, json as? [String: Any], directory)
    }

    private static func newDirectory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(path: "bench-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    private static func start(_ arguments: [String], peers: String = "", in directory: URL) throws -> ChildProcess {
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: here).deletingLastPathComponent().appending(path: "ledgerd-bench")
        var environment = ProcessInfo.processInfo.environment
        environment["TMPDIR"] = directory.path
        environment["LEDGERD_BENCH_PEERS"] = peers
        return try ChildProcess(program.path, arguments, environment: environment, in: directory)
    }

    private static func program(of process: String) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) ?? "/setpriv"
    }

    /// The processes whose output goes to files below a directory: the bench's children.
    private static func servers(startedIn directory: URL) -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { process in
            let output = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/1")
            return output?.hasPrefix(directory.path + "/ledgerd-bench-") == true
        }
    }
}

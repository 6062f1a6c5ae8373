import Foundation
import TestSupport

/// Runs programs and gives them a temporary directory.
enum Program {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// The service's binary, in the directory of this one.
    static let ledgerd = beside("ledgerd")
    /// The sandbox gateway's binary, in the directory of this one.
    static let sandboxGateway = beside("portone-sandbox")

    private static func beside(_ name: String) -> String {
        let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: here).deletingLastPathComponent().appending(path: name).path
    }

    /// Creates a temporary directory for the body, and deletes it afterwards.
    static func inDirectory<Output>(_ body: (URL) async throws -> Output) async throws -> Output {
        let directory = FileManager.default.temporaryDirectory.appending(path: "ledgerd-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(directory)
    }

    /// Runs a program and waits for its end.
    ///
    /// It ends with the bench.
    ///
    /// - Returns: its standard output.
    /// - Throws: ``Failed`` when its exit code is not 0, or it takes longer than an hour.
    static func run(_ name: String, _ arguments: [String], in directory: URL) async throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let process = try ChildProcess(name, arguments, environment: ["PATH": path], in: directory)
        let exit = try await process.exit(within: .seconds(3600))
        guard exit == .code(0) else { throw Failed(description: "\(name) failed: \(process.standardError)") }
        return process.standardOutput
    }

    /// Runs a psql script.
    static func psql(_ script: String, at url: String, in directory: URL) async throws {
        let file = directory.appending(path: UUID().uuidString + ".sql")
        try Data(script.utf8).write(to: file)
        _ = try await run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url, "-f", file.path], in: directory)
    }
}

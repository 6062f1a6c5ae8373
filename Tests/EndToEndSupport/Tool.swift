import Foundation

/// A program of the machine's own, as a judge of what we wrote.
package enum Tool {
    package struct Failure: Error { package let status: Int32 }

    /// Runs it to its end.
    ///
    /// - Returns: its standard output.
    package static func run(_ program: String, _ arguments: [String], input: [UInt8]) async throws -> [UInt8] {
        try await onOwnThread { try runAndWait(program, arguments, input) }
    }

    private static func runAndWait(_ program: String, _ arguments: [String], _ input: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "ledgerd-\(UUID().uuidString).in")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(input).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        try process.run()
        let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return bytes
    }
}

/// Runs what can block on a thread of its own.
///
/// Tasks have few threads, and the services in the test's process need them.
func onOwnThread<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
}

import Foundation
import Testing

@testable import ledgerd_bench

/// `./dev bench --cores`: the load keeps to cores of its own.
@Suite(.timeLimit(.minutes(20))) struct LoadCoresTests {
    @Test func `a thread moves to the cores of the load, and the others stay`() async throws {
        let before = try Self.cores(of: "self")
        let first = try #require(before.firstMatch(of: /^\d+/)).output
        let moved = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try LoadCores.moveThread(to: String(first))
                        return try Self.cores(of: "thread-self")
                    })
            }
        }
        #expect(moved == first)
        #expect(try Self.cores(of: "self") == before)
    }

    @Test func `a thread that can't move says so`() {
        #expect(throws: Program.Failed.self) { try LoadCores.moveThread(to: "none") }
    }

    /// The cores that a process or thread may use.
    private static func cores(of process: String) throws -> String {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return String(try #require(status.firstMatch(of: /Cpus_allowed_list:\s+(\S+)/)).1)
    }
}

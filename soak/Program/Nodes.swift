import Foundation
import TestSupport

/// The database's nodes, controlled by ops/ha/cluster.sh.
struct Nodes: Sendable {
    struct Failed: Error, CustomStringConvertible { let description: String }

    static let all = ["node1", "node2", "node3"]

    let program: String
    let directory: URL

    /// Runs a command and returns its output.
    @discardableResult
    func run(_ arguments: String..., within patience: Duration = .seconds(90)) async throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let process = try ChildProcess(program, arguments, environment: ["PATH": path], in: directory)
        let exit = try await process.exit(within: patience)
        guard exit == .code(0) else {
            throw Failed(description: "cluster.sh \(arguments.joined(separator: " ")): \(process.standardError)")
        }
        return process.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The primary's name; nil: there is none at the moment.
    func primary() async -> String? { try? await run("primary", within: .seconds(20)) }
    func synchronous() async -> String? { try? await run("synchronous", within: .seconds(20)) }

    /// Undoes all faults, and waits until all nodes serve.
    func heal() async throws { try await run("heal", within: .seconds(150)) }
}

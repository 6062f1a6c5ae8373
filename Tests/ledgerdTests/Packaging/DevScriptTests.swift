import Foundation
import Testing

/// `./dev` in a shell that has only what the README says.
@Suite(.timeLimit(.minutes(20))) struct DevScriptTests {
    @Test(arguments: ["status", "kill-primary", "cut node1", "heal", "switchover", "down"])
    func `every command of the highly available setup finds etcd and Patroni`(command: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ledgerd-dev-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        // What ./dev fetched for `up`, and in the place of the nodes a script that tells where it would look.
        for path in ["ops/ha", "bin", ".ledgerd/ha/ha"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: path), withIntermediateDirectories: true)
        }
        for path in ["dev", "ops/dev"] {
            try FileManager.default.copyItem(at: Self.root.appending(path: path), to: folder.appending(path: path))
        }
        try Self.write(#"echo "$PATH""#, folder.appending(path: "ops/ha/cluster.sh"))
        try Self.write(#"exec "$@""#, folder.appending(path: "bin/sudo"))
        let shell = Process()
        let output = Pipe()
        shell.executableURL = folder.appending(path: "dev")
        shell.arguments = ["ha"] + command.split(separator: " ").map(String.init)
        shell.environment = ["PATH": "\(folder.path)/bin:/usr/bin:/bin", "HOME": "/nowhere"]
        shell.standardOutput = output
        try shell.run()
        let path = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        for programs in [".ledgerd/etcd/usr/bin", ".ledgerd/patroni/bin"] {
            #expect(path.contains("\(folder.path)/\(programs)"), "\(path)")
        }
    }

    /// One that it does not read would not be checked either: `./dev test` checks them as parts of `./dev`.
    @Test func `dev reads each file of its commands`() throws {
        let script = try String(contentsOf: Self.root.appending(path: "dev"), encoding: .utf8)
        let read = Set(script.matches(of: /(?m)^\. ops\/dev\/([a-z]+\.sh)$/).map { String($0.1) })
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "ops/dev").path)
        #expect(read == Set(files.filter { $0.hasSuffix(".sh") }))
    }

    @Test func `the help names each command, and no other`() throws {
        let script = try String(contentsOf: Self.root.appending(path: "dev"), encoding: .utf8)
        let help = script.components(separatedBy: "USAGE")
        let named = Set((help.count == 3 ? help[1] : "").matches(of: #/(?m)^ {2}([a-z]+) /#).map { String($0.1) })
        let run = Set(script.matches(of: #/(?m)^ +([a-z]+)\) /#).map { String($0.1) })
        #expect(named == run && named.isSuperset(of: ["up", "test", "pages", "screenshots"]), "\(named) \(run)")
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func write(_ command: String, _ file: URL) throws {
        try Data("#!/bin/sh\n\(command)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
}

import Foundation
import TestSupport
import Testing

/// The examples of receivers, in Python with PyPI's standardwebhooks and in Swift.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ExampleReceiverTests {
    enum Example: CaseIterable {
        case python
        case swift
    }

    /// `LEDGERD_TEST_KILLS` sets the number of kills.
    private static let kills = ProcessInfo.processInfo.environment["LEDGERD_TEST_KILLS"].flatMap { Int($0) } ?? 6

    @Test(arguments: Example.allCases)
    func `a receiver that is killed again and again keeps every event, and each user's in order`(
        _ example: Example
    ) async throws {
        try await House.open(HookReceiver.settings) { house, _, service in
            let port = Int.random(in: 20_000..<30_000)
            let file = house.directory.appending(path: "events").path
            let secret = try #require(
                try await service.addEndpoint("http://127.0.0.1:\(port)/")["secret"].text)
            for round in 0..<Self.kills {
                let receiver = try await Self.start(example, port, file, secret, in: house)
                for number in 0..<15 { try await service.give("user-\(number % 5)") }
                try await house.books.makeLanesDue()
                // Sooner or later within what it does.
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200)))
                if round < Self.kills - 1 { try await house.kill(receiver) }
            }
            try await eventually("all are numbered") { try await house.books.unnumbered == 0 }
            let told = try await house.books.texts("SELECT seq || ' ' || user_id FROM event ORDER BY seq")
            try await eventually("the receiver has what the journal has", within: .seconds(60)) {
                try await house.books.makeLanesDue()
                return try Self.kept(example, file).sorted { Self.seq($0) < Self.seq($1) } == told
            }
            var last: [Substring: Int] = [:]
            for line in try Self.kept(example, file) {
                let user = line.split(separator: " ")[1]
                #expect(last[user, default: 0] < Self.seq(line), "\(line)")
                last[user] = Self.seq(line)
            }
        }
    }

    private static func start(
        _ example: Example, _ port: Int, _ file: String, _ secret: String, in house: House
    ) async throws -> ChildProcess {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let environment = [
            "WEBHOOK_SECRET": secret, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        ]
        let receiver: ChildProcess
        switch example {
        case .python:
            let script = tests.appending(path: "Conformance/webhooks/receiver.sh").path
            receiver = try house.start(
                [script, "--port", "\(port)", "--database", file], environment, program: "/bin/sh")
        case .swift: receiver = try house.start(["\(port)", file], environment, program: "webhook-receiver")
        }
        // The first start of the Python example installs its packages.
        try await eventually("the receiver serves", within: .seconds(180)) {
            guard !receiver.hasEnded else { throw DidNotHappen(description: receiver.standardError) }
            return (receiver.standardOutput + receiver.standardError).contains("127.0.0.1:\(port)")
        }
        return receiver
    }

    /// What it kept, in its order: number and user.
    private static func kept(_ example: Example, _ file: String) throws -> [String] {
        switch example {
        case .python:
            let query = """
                import sqlite3
                for row in sqlite3.connect("\(file)").execute("SELECT seq, user FROM event ORDER BY rowid"):
                    print(*row)
                """
            let output = try Tool.run("python3", ["-c", query], input: [])
            return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        case .swift:
            let text = try String(contentsOfFile: file, encoding: .utf8)
            return text.split(separator: "\n").map { JSON(Array($0.utf8)) }
                .map { "\($0["seq"].integer ?? 0) \($0["user"].text ?? "")" }
        }
    }

    private static func seq(_ line: String) -> Int { Int(line.split(separator: " ")[0]) ?? 0 }
}

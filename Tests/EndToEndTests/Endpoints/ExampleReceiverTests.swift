import Foundation
import TestSupport
import Testing

/// The examples of receivers, in Python with PyPI's standardwebhooks and in Swift.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Effort.includesSlow)) struct ExampleReceiverTests {
    enum Example: CaseIterable {
        case python
        case swift
    }

    /// `LEDGERD_TEST_KILLS` sets the number of kills.
    private static let kills = ProcessInfo.processInfo.environment["LEDGERD_TEST_KILLS"].flatMap { Int($0) } ?? 6

    @Test(arguments: Example.allCases)
    func `receivers and services that are killed again and again keep every event, and each user's in order`(
        _ example: Example
    ) async throws {
        try await House.openProcess(HookReceiver.settings) { house, gateway, first in
            let port = TestPort.next()
            let file = house.directory.appending(path: "events").path
            var service = first
            var random = SplitMix64(seed: Effort.seed)
            let secret = try #require(
                try await service.addEndpoint("http://127.0.0.1:\(port)/")["secret"].text)
            for round in 0..<Self.kills {
                // Sooner or later within what they do: so many come for certain.
                let some = await Self.count(example, file) + Int.random(in: 1...15, using: &random)
                let receiver = try await Self.start(example, port, file, secret, in: house)
                for number in 0..<15 { try await service.give("user-\(number % 5)") }
                try await house.books.makeLanesDue()
                try await eventually("the receiver has some of them") {
                    try await house.books.makeLanesDue()
                    return await Self.count(example, file) >= some
                }
                if round % 2 == 1 {
                    try await house.kill(service.process)
                    service = try await house.serveProcess(at: gateway, HookReceiver.settings)
                }
                if round < Self.kills - 1 { try await house.kill(receiver) }
            }
            try await eventually("all are numbered") { try await house.books.unnumbered == 0 }
            let last = try await house.books.lastEvent
            try await eventually("the receiver has what the journal has") {
                try await house.books.makeLanesDue()
                return try await Self.kept(example, file).count == Int(last)
            }
            let kept = try await Self.kept(example, file)
            #expect(kept.expectOrder() == Set(1...last))
            kept.expectBalances()
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry") == last)
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
        try await eventually("the receiver serves") {
            guard !receiver.hasEnded else { throw DidNotHappen(description: receiver.standardError) }
            return (receiver.standardOutput + receiver.standardError).contains("127.0.0.1:\(port)")
        }
        return receiver
    }

    /// How many events it kept; none before the first.
    private static func count(_ example: Example, _ file: String) async -> Int {
        (try? await kept(example, file).count) ?? 0
    }

    /// The events that it kept, in its order.
    private static func kept(_ example: Example, _ file: String) async throws -> [JSON] {
        var text = ""
        switch example {
        case .python:
            let query = """
                import sqlite3
                for row in sqlite3.connect("\(file)").execute("SELECT body FROM event ORDER BY rowid"):
                    print(*row)
                """
            text = String(decoding: try await Tool.run("python3", ["-c", query], input: []), as: UTF8.self)
        case .swift: text = try String(contentsOfFile: file, encoding: .utf8)
        }
        return text.split(separator: "\n").map { JSON(Array($0.utf8)) }
    }
}

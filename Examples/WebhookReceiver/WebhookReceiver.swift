import Foundation
import HTTPTypes
import Hummingbird
import StandardWebhooks

/// Receives events of ledgerd: verifies each, and stores it once.
///
///     WEBHOOK_SECRET=whsec_… swift run webhook-receiver 9000 events.jsonl
///
/// You can kill it at any point and start it again: every event is stored, and none twice. docs/webhooks.md explains the
/// rules that it follows.
@main
struct WebhookReceiver {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let port = arguments.first.flatMap { Int($0) } ?? 9000
        let file = arguments.dropFirst().first ?? "events.jsonl"
        let verifier = try WebhookVerifier(secrets: [ProcessInfo.processInfo.environment["WEBHOOK_SECRET"] ?? ""])
        let store = try EventStore(file: URL(fileURLWithPath: file))

        let router = Router()
        // With any path.
        for path: RouterPath in ["/", "**"] {
            router.post(path) { request, _ in try await receive(request, verifier, store) }
        }
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))
        ).run()
    }

    private static func receive(
        _ request: Request, _ verifier: WebhookVerifier, _ store: EventStore
    ) async throws -> HTTPResponse.Status {
        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
        let body = Data(buffer: try await request.body.collect(upTo: 1 << 20))
        do {
            try verifier.verify(
                id: header("webhook-id"), timestamp: header("webhook-timestamp"),
                signature: header("webhook-signature"), body: body)
        } catch {
            return .unauthorized
        }
        // The id of a test is not a number.
        guard let seq = header("webhook-id").flatMap({ Int64($0) }) else { return .ok }
        // The answer comes after the event is on the disk: without it, ledgerd sends the event again.
        try await store.store(seq, body)
        return .ok
    }
}

/// The events that were received, one a line.
actor EventStore {
    private let file: FileHandle
    private var known: Set<Int64> = []

    /// Opens the file, and reads which events it has.
    init(file url: URL) throws {
        if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
        let whole = try Data(contentsOf: url)
        // A line that was being written when the program was killed was not answered, so it comes again.
        let end = whole.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? whole.startIndex
        for line in whole[..<end].split(separator: UInt8(ascii: "\n")) {
            known.insert(try JSONDecoder().decode(Number.self, from: line).seq)
        }
        file = try FileHandle(forUpdating: url)
        try file.truncate(atOffset: UInt64(end))
    }

    /// Stores an event, unless it is known.
    ///
    /// Whatever the event makes you do belongs in the same transaction: with a database instead of a file, that is simple.
    func store(_ seq: Int64, _ body: Data) throws {
        guard !known.contains(seq) else { return }
        try file.seekToEnd()
        try file.write(contentsOf: body + Data("\n".utf8))
        try file.synchronize()
        known.insert(seq)
    }

    private struct Number: Decodable {
        let seq: Int64
    }
}

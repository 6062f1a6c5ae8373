import ArgumentParser
import Foundation
import Glibc
import OutboundHTTP
import Synchronization
import WireFormats

/// `ledgerd mcp`: a desktop client's way to `/mcp` of a service.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Offer read-only tools to an agent, over standard input and output (Model Context Protocol).",
        discussion: """
            A desktop client starts the command. It passes each message on to /mcp of a running service, with the token in the \
            file, so it needs no database and no other setting. Tools only read; the token's scopes decide which ones \
            there are: support for customers, finance:read for the books. See docs/mcp.md.
            """)

    @Option(
        help: """
            The service's address, such as https://coins.example.com (default: the service on this machine, at the setting \
            listen).
            """)
    var url: String?
    @Option(
        help: """
            The file with an access token, which others must not be able to read. It is read for each message, so \
            another program can renew the token.
            """,
        completion: .file())
    var tokenFile: String
    @OptionGroup var settings: SettingFlags<MCPSettings>

    /// How many messages are passed on at a time.
    private static let most = 8

    func run() async throws {
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let relay = MCPRelay(url: try service().appending("mcp"), tokenFile: tokenFile, transport: transport)
        _ = try relay.token()
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await line in Self.lines where !line.isEmpty {
                if running == Self.most { _ = await group.next() } else { running += 1 }
                group.addTask { if let reply = await relay.reply(to: line) { Self.write(reply) } }
            }
        }
    }

    private func service() throws -> HTTPURL {
        do {
            if let url { return try HTTPURL(url) }
            return try HTTPURL("http://" + (try settings.values()[Settings.http.listen].authorityOnThisMachine))
        } catch let error as TransportError {
            throw ValidationError("--url: \(error)")
        }
    }

    /// The lines of standard input, which are read on a thread of their own: tasks have few threads.
    private static var lines: AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    private static let output = Mutex(FileHandle.standardOutput)

    /// Writes a reply whole.
    ///
    /// `fflush` of all streams would wait for the thread that reads the next message.
    private static func write(_ reply: String) {
        output.withLock { try? $0.write(contentsOf: Data((reply + "\n").utf8)) }
    }
}

enum MCPSettings: SettingList {
    static let settings: [any SettingDeclaration] = [Settings.http.listen]
}

/// Passes messages on to a service.
struct MCPRelay: Sendable {
    let url: HTTPURL
    let tokenFile: String
    let transport: any HTTPTransport

    /// An examination of large books takes long.
    private static let patience = Duration.seconds(3600)
    private static let mostBytes = 16 << 20

    /// The reply to a message; nil: there is none, because it is a notification.
    func reply(to line: String) async -> String? {
        let message: MCPMessage
        do throws(Problem) {
            message = try MCPMessage(Array(line.utf8))
        } catch {
            return MCPReply.error(MCPError(error), to: .null).written
        }
        do {
            return try await send(line)
        } catch {
            let failure = CommandFailure(error)?.description ?? "\(error)"
            guard let id = message.id else {
                StandardError.print("Error: \(failure)")
                return nil
            }
            return MCPReply.error(MCPError(code: -32603, message: failure), to: id).written
        }
    }

    /// - Throws: ``Refused`` with what the service says, `TransportError` without an answer.
    private func send(_ line: String) async throws -> String? {
        let answer = try await transport.send(
            HTTPRequest(
                .post, url,
                headers: [
                    ("Authorization", "Bearer " + (try token())), ("Content-Type", "application/json"),
                    ("Accept", "application/json, text/event-stream"),
                    ("MCP-Protocol-Version", MCPController.revision),
                ],
                body: Array(line.utf8), totalTimeout: Self.patience, maxResponseBytes: Self.mostBytes))
        if answer.status == 202 { return nil }
        let json = try? JSONParser.parse(answer.body)
        // A message must be one line, and a proxy may have sent several.
        if answer.status == 200, let json { return json.written }
        let words = json?["detail"]?.text ?? json?["title"]?.text ?? "no ledgerd answers at \(url)"
        throw Refused("\(words) (HTTP \(answer.status))")
    }

    /// The token in the file.
    ///
    /// - Throws: ``Refused`` if it can't be read, or if others can read it.
    func token() throws -> String {
        var file = stat()
        guard stat(tokenFile, &file) == 0 else { throw Refused("\(tokenFile) can't be read") }
        guard file.st_mode & 0o007 == 0 else {
            throw Refused("everybody on this machine can read the token: run chmod 600 \(tokenFile)")
        }
        let text = (try? String(contentsOfFile: tokenFile, encoding: .utf8)) ?? ""
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1 else { throw Refused("\(tokenFile) must have one access token, and nothing else") }
        return String(words[0])
    }
}

import Foundation
import Testing

/// Certificates of an authority of our own, made with `openssl` in a directory of their own, and servers that show them.
final class TLSHouse: Sendable {
    /// What a server shows.
    enum Certificate: Sendable {
        case good
        case expired
        /// For another host name.
        case otherHost
        /// Signed by an authority that nobody trusts.
        case unknownAuthority
    }

    private let directory: URL

    /// The authority that signed all but one.
    var authority: String { path("ca.pem") }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "ledgerd-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for authority in ["ca", "stranger"] {
            try openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(authority)", "-addext", "basicConstraints=critical,CA:TRUE",
                "-keyout", path("\(authority).key"), "-out", path("\(authority).pem"))
        }
        try make(.good)
        try make(.expired, days: -1)
        try make(.otherHost, host: "api.iamport.kr")
        try make(.unknownAuthority, authority: "stranger")
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Starts a server that shows a certificate, and answers every request with this.
    func serve(
        _ certificate: Certificate, answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    ) async throws -> TLSServer {
        try await TLSServer(
            certificate: path("\(certificate).pem"), key: path("\(certificate).key"), answer: answer,
            log: directory.appending(path: "\(UUID().uuidString).log"))
    }

    private func make(
        _ certificate: Certificate, host: String = "localhost", days: Int = 2, authority: String = "ca"
    ) throws {
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(host)",
            "-keyout", path("\(certificate).key"), "-out", path("request.pem"))
        try Data("subjectAltName=DNS:\(host)\n".utf8).write(to: directory.appending(path: "names"))
        try openssl(
            "x509", "-req", "-in", path("request.pem"), "-CA", path("\(authority).pem"),
            "-CAkey", path("\(authority).key"), "-CAcreateserial", "-days", "\(days)", "-extfile", path("names"),
            "-out", path("\(certificate).pem"))
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }

    private func openssl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    }
}

/// A TLS server, Python's, which writes down what it is asked.
final class TLSServer: Sendable {
    let port: Int
    private let log: URL
    /// The server ends when this is closed: with the test, whatever ends that.
    private let life: Pipe

    /// What came over connections that were made, headers and bodies.
    var asked: String {
        (try? String(contentsOf: log, encoding: .utf8))?.replacing("refused\n", with: "") ?? ""
    }

    /// How many connections were given up before anything was asked.
    var refusals: Int {
        (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n").count { $0 == "refused" } ?? 0
    }

    init(certificate: String, key: String, answer: String, log: URL) async throws {
        self.log = log
        life = Pipe()
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-u", "-c", Self.program, certificate, key, answer, log.path()]
        process.standardInput = life
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "the server says its port")
    }

    deinit { try? life.fileHandleForWriting.close() }

    private static let program = """
        import os, socket, ssl, sys, threading
        certificate, key, answer, log = sys.argv[1:]
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        listener = socket.create_server(("127.0.0.1", 0))
        def note(text):
            with open(log, "a") as file: file.write(text + "\\n")
        def serve(plain):
            try:
                connection = context.wrap_socket(plain, server_side=True)
                request = connection.recv(65536)
            except OSError:
                return note("refused")
            if not request: return note("refused")
            connection.settimeout(0.3)
            try:
                while True:
                    more = connection.recv(65536)
                    if not more: break
                    request += more
            except OSError: pass
            note(request.decode())
            connection.sendall(answer.encode())
            connection.close()
        print(listener.getsockname()[1])
        while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """
}

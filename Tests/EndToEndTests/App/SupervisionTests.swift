import Foundation
import TestSupport
import Testing

/// What a service manager, a container's health check and a store of secrets have to do with.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SupervisionTests {
    @Test func `the service manager gets messages of readiness, of life and of the end`() async throws {
        try await House.with { house in
            let socket = try NotifySocket()
            let service = try await house.serveProcess(
                at: nil, ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "900000", "LEDGERD_DATABASE_PATIENCE": "600s"])
            var heard: [[String]] = []
            try await eventually("it says that it is ready, and lives") {
                heard += socket.messages()
                return heard.contains { $0.contains("READY=1") } && heard.count { $0 == ["WATCHDOG=1"] } >= 3
            }
            #expect(heard.first == ["STATUS=starting", "EXTEND_TIMEOUT_USEC=660000000"])
            let ready = heard.filter { $0.contains("READY=1") }
            #expect(ready == [["READY=1", "STATUS=serving at 127.0.0.1:\(service.port)"]])

            // A process that hangs gives no sign, and so is ended by its manager.
            service.process.signal(SIGSTOP)
            try await eventually("the process is stopped") {
                try String(contentsOfFile: "/proc/\(service.process.pid)/stat", encoding: .utf8).contains(") T ")
            }
            _ = socket.messages()
            // Longer than the pause between two signs of life.
            try await Task.sleep(for: .milliseconds(1500))
            #expect(socket.messages().isEmpty)
            service.process.signal(SIGCONT)

            #expect(try await service.stop() == .code(0))
            #expect(
                socket.messages().filter { $0.contains("STOPPING=1") }
                    == [["STOPPING=1", "STATUS=stopping", "EXTEND_TIMEOUT_USEC=30000000"]])
        }
    }

    @Test func `a service that does not start never says that it is ready`() async throws {
        try await House.with { house in
            let socket = try NotifySocket()
            let first = try await house.serve()
            let settings = house.settings().merging([
                "LEDGERD_LISTEN": "127.0.0.1:\(first.port)", "NOTIFY_SOCKET": socket.name,
            ]) { $1 }
            #expect(try await house.run("serve", with: settings).exit == .code(1))
            #expect(!socket.messages().contains { $0.contains("READY=1") })
        }
    }

    @Test func `secrets come from files`() async throws {
        try await House.with { house in
            func write(_ text: String, _ name: String) throws -> String {
                let file = house.directory.appending(path: name)
                try Data((text + "\n").utf8).write(to: file)
                return file.path
            }
            var settings = house.settings()
            settings["LEDGERD_DATABASE_URL_FILE"] = try write(house.ledger.serviceURL, "url")
            settings["LEDGERD_DATABASE_URL"] = ""
            settings["LEDGERD_JWT_SECRET"] = ""
            _ = try write(Token.secret, "ledgerd_jwt_secret")
            settings["CREDENTIALS_DIRECTORY"] = house.directory.path
            let gateway = try await house.startGateway()
            settings["LEDGERD_PORTONE_V1_URL"] = gateway.url
            let service = try await house.serve(at: gateway, settings)
            #expect(try await service.present(try await gateway.pay()).status == 201)

            settings["LEDGERD_DATABASE_URL_FILE"] = "/nowhere"
            let (exit, _, errors) = try await house.run("serve", with: settings)
            #expect(exit == .code(1))
            StartTests.expectOneLine(errors, ["LEDGERD_DATABASE_URL_FILE", "/nowhere", "No such file"])
        }
    }

    @Test func `the health command asks the service of this machine`() async throws {
        try await House.with { house in
            let service = try await house.serve()
            let port = service.port
            let settings = ["LEDGERD_LISTEN": "0.0.0.0:\(port)"]
            let ready = try await house.run("health", with: settings)
            #expect(ready.exit == .code(0) && ready.output.contains(#""status":"ready""#), "\(ready)")
            let version = try await house.run("--version")
            let answer = JSON(Array(ready.output.utf8))
            #expect(version.output.hasPrefix((answer["version"].text ?? "?") + " "), "\(version) \(ready)")
            #expect(answer["commit"].text == "development")
            let metrics = try await service.get("/metrics").text
            #expect(metrics.contains(/ledgerd_build_info\{built_at="",commit="development",version="[0-9.]+"\} 1\n/))

            try await house.books.execute("UPDATE migration SET checksum = 'x' WHERE name = 'baseline'")
            let away = try await house.run("health", with: settings)
            #expect(away.exit == .code(1) && !away.output.contains("ready\""), "\(away)")
            try await service.end()
            let gone = try await house.run("health", with: settings)
            #expect(gone.exit == .code(1))
            StartTests.expectOneLine(gone.errors, ["127.0.0.1:\(port)", "does not respond"])
        }
    }

    @Test func `the sandbox listens on other addresses than loopback only when allowed`() async throws {
        try await House.with { house in
            let port = TestPort.next()
            let refused = try house.startSandbox("--listen", "0.0.0.0:\(port)")
            #expect(try await refused.exit() == .code(64))
            #expect(refused.standardError.contains("--allow-remote"), "\(refused.standardError)")
            let child = try house.startSandbox("--listen", "0.0.0.0:\(port)", "--allow-remote")
            try await eventually("it serves") { child.standardError.contains("serving address=0.0.0.0:\(port)") }
        }
    }
}

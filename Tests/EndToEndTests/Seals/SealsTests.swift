import Foundation
import Ledger
import TestSupport
import Testing

/// How the books are sealed, and how finance proves them.
@Suite(.timeLimit(.minutes(20))) struct SealsTests {
    @Test func `a service with a key seals every day, and finance fetches the seals`() async throws {
        let key = SealKey()
        try await House.open(["LEDGERD_SEAL_KEY": key.base64]) { house, gateway, service in
            try await eventually("the day is sealed") {
                try await service.get("/v1/seals", as: Token.finance()).json["seals"].elements.count == 1
            }
            _ = try await service.credited(try await gateway.pay())
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL, "LEDGERD_SEAL_KEY": key.base64]
            let file = house.directory.appending(path: "seal.json").path
            let sealed = try await house.run("seal", "--output", file, with: settings)
            #expect(sealed.exit == .code(0) && sealed.output.isEmpty, "\(sealed)")
            #expect(sealed.errors.contains(/sealed 1 entries, head [0-9a-f]{64}, key [0-9a-f]{16}/))

            let list = try await service.get("/v1/seals", as: Token.finance()).json["seals"].elements
            #expect(list.map { $0["entries"].integer } == [1, 0])
            #expect(list.first?.members == ["id", "sealed_at", "entries", "head", "key_id"])
            let id = try #require(list.first?["id"].integer)
            let fetched = try await service.get("/v1/seals/\(id)", as: Token.finance())
            #expect(try fetched.status == 200 && fetched.text == String(contentsOfFile: file, encoding: .utf8))
            #expect(try await service.get("/v1/seals/999", as: Token.finance()).status == 404)
            #expect(try await service.get("/v1/seals/\(id)", as: Token.service()).json["code"].text == "forbidden")
            let metrics = try await service.get("/metrics").text
            #expect(metrics.contains("ledgerd_chain_lag_seconds") && metrics.contains("ledgerd_seals_total 1"))
            #expect(!service.log.contains(key.base64))

            let again = try await house.run("seal", "--output", file, with: settings)
            #expect(again.exit == .code(1) && again.errors.contains("exists"))
            #expect(try await house.run("doctor", "--seal", file, with: settings).exit == .code(0))
        }
    }

    @Test func `the doctor proves by a seal that the books are what they were`() async throws {
        try await House.with { house in
            let key = try await Self.key(of: house)
            let other = try await Self.key(of: house)
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL, "LEDGERD_SEAL_KEY": key.secret]
            let service = try await house.serve()
            let grant = try await service.post(
                "/v1/users/ann/grants", #"{"coins": 5, "reason": "welcome"}"#, key: "welcome")
            #expect(grant.status == 201)
            let file = house.directory.appending(path: "seal.json").path
            #expect(try await house.run("seal", "make", "--output", file, with: settings).exit == .code(0))
            let checker = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let good = try await house.run("doctor", "--seal", file, "--public-key", key.public, with: checker)
            #expect(good.exit == .code(0) && good.errors.isEmpty, "\(good)")
            #expect(good.output.contains("last sealed at ") && good.output.contains("sound: "))
            let unsure = try await house.run("doctor", "--seal", file, with: checker)
            #expect(unsure.exit == .code(0) && unsure.errors.contains("Warning: "), "\(unsure)")

            let foreign = try await house.run("doctor", "--seal", file, "--public-key", other.public, with: checker)
            #expect(foreign.exit == .code(1) && foreign.output.contains("seal_signature_invalid (1)"))
            try await house.ledger.execute(
                "SET session_replication_role = replica; UPDATE journal_entry SET reason = 'thanks'")
            let altered = try await house.run("doctor", "--json", "--seal", file, with: settings)
            #expect(altered.exit == .code(1))
            let codes = JSON(Array(altered.output.utf8))["checks"].elements.filter { $0["count"].integer ?? 0 > 0 }
                .map { $0["code"].text }
            #expect(codes == ["grant_differs_from_request", "chain_differs", "seal_head_differs"])

            for (arguments, code, words) in [
                (["--seal", file + ".no"], Int32(2), "can't be read"), (["--seal", "/etc/hostname"], 2, "not a seal"),
                (["--public-key", key.public], 64, "--seal"), (["--seal", file, "--public-key", "x"], 64, "base64"),
            ] {
                let child = try house.start(["doctor"] + arguments, checker)
                #expect(try await child.exit() == .code(code), "\(arguments)")
                #expect(child.standardError.contains(words), "\(child.standardError)")
            }
        }
    }

    @Test func `without a key nothing is sealed, and that is said`() async throws {
        try await House.with { house in
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let seal = try await house.run("seal", with: settings)
            #expect(seal.exit == .code(1))
            StartTests.expectOneLine(seal.errors, ["seal_key", "LEDGERD_SEAL_KEY"])
            let wrong = try await house.run("seal", with: settings.merging(["LEDGERD_SEAL_KEY": "abc"]) { $1 })
            #expect(wrong.exit == .code(1) && !wrong.errors.contains("abc"))
            StartTests.expectOneLine(wrong.errors, ["LEDGERD_SEAL_KEY", "32 bytes in base64"])
            #expect(try await house.run("doctor", with: settings).output.contains("never sealed"))
            let service = try await house.serve()
            try await eventually("it is said") { service.log.contains("the books are not sealed") }
        }
    }

    @Test func `a closed year is a file that is proven without the database, and without ledgerd`() async throws {
        try await House.with { house in
            let key = try await Self.key(of: house)
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL, "LEDGERD_SEAL_KEY": key.secret]
            let path = { (name: String) in house.directory.appending(path: name).path }
            let none = try await house.run("archive", with: settings)
            #expect(none.exit == .code(1) && none.errors.contains("nothing was sealed"), "\(none)")

            let service = try await house.serve()
            for (name, count) in [("2026", 3), ("2027", 2)] {
                for number in 1...count {
                    let grant = try await service.post(
                        "/v1/users/ann:\(number)/grants", #"{"coins": 5, "reason": "환영"}"#, key: "\(name)-\(number)")
                    #expect(grant.status == 201)
                }
                let seal = try await house.run("seal", "--output", path("seal-\(name).json"), with: settings)
                #expect(seal.exit == .code(0))
            }
            let first = try await house.run(
                "archive", "--through", path("seal-2026.json"), "--output", path("2026.jsonl"), with: settings)
            #expect(first.exit == .code(0) && first.output.isEmpty, "\(first)")
            #expect(first.errors.hasPrefix("archived entries 1 to 3, sealed at "))
            let second = try await house.run(
                "archive", "write", "--after", path("seal-2026.json"), "--output", path("2027.jsonl.gz"), "--gzip",
                with: settings)
            #expect(second.exit == .code(0), "\(second)")
            #expect(second.errors.contains(/archived entries 4 to 5, after the seal of \S+, sealed at \S+ with key/))
            let again = try await house.run("archive", "--output", path("2026.jsonl"), with: settings)
            #expect(again.exit == .code(1) && again.errors.contains("exists"))

            let good = try await house.run("archive", "check", path("2026.jsonl"), "--public-key", key.public)
            #expect(good.exit == .code(0) && good.errors.isEmpty, "\(good)")
            #expect(
                good.output.contains(/holds: entries 1 to 3, sealed at \S+ with key [0-9a-f]{16}, recorded from \S+ to/)
            )
            let totals = try await house.run(
                "archive", "check", "--totals", path("2026.jsonl"), "--public-key", key.public)
            #expect(
                totals.output.split(separator: "\n").dropFirst() == [
                    "account           currency  before  debits  credits  after",
                    "coins:promotions  COIN           0      15        0     15",
                    "wallet:bonus      COIN           0       0       15    -15",
                ], "\(totals)")
            let unsure = try await house.run("archive", "check", path("2026.jsonl"))
            #expect(unsure.exit == .code(0) && unsure.errors.contains("Warning: "), "\(unsure)")
            let other = try await Self.key(of: house)
            let foreign = try await house.run("archive", "check", path("2026.jsonl"), "--public-key", other.public)
            #expect(foreign.exit == .code(1) && foreign.errors.contains("no trusted key signed"), "\(foreign)")

            let text = try String(contentsOfFile: path("2026.jsonl"), encoding: .utf8)
            #expect(text.contains("환영"))
            try text.replacing("환영", with: "thanks").write(toFile: path("changed"), atomically: true, encoding: .utf8)
            let changed = try await house.run("archive", "check", path("changed"), "--public-key", key.public)
            #expect(changed.exit == .code(1) && changed.errors.contains("not those that were sealed"), "\(changed)")
            for (file, code, words) in [
                (path("no"), Int32(2), "can't be read"), ("/etc/hostname", 2, "not the head of an archive"),
                (path("2027.jsonl.gz"), 2, "gunzip -c FILE | ledgerd archive check -"),
            ] {
                let bad = try await house.run("archive", "check", file)
                #expect(bad.exit == .code(code) && bad.errors.contains(words), "\(bad)")
            }

            for name in ["2026.jsonl", "2027.jsonl.gz"] {
                let checked = try await Self.checkInPython(path(name), "--key", key.public)
                #expect(checked.contains("holds: "), "\(checked)")
            }
            for arguments in [[path("changed")], [path("2026.jsonl"), "--key", other.public]] {
                await #expect(throws: Tool.Failure.self) {
                    _ = try await Tool.run("python3", [Self.checker] + arguments, input: [])
                }
            }
        }
    }

    /// Proves an archive without ledgerd's code.
    private static func checkInPython(_ arguments: String...) async throws -> String {
        String(decoding: try await Tool.run("python3", [checker] + arguments, input: []), as: UTF8.self)
    }

    private static let checker = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../ops/archive/check_archive.py").standardized.path

    private static func key(of house: House) async throws -> (secret: String, public: String) {
        let made = try await house.run("seal", "keygen")
        let match = try #require(
            made.output.wholeMatch(of: /LEDGERD_SEAL_KEY=(\S{44})\n# --public-key (\S{44}), id [0-9a-f]{16}\n/),
            "\(made)")
        return (secret: String(match.1), public: String(match.2))
    }
}

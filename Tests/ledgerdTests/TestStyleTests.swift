import Foundation
import Glibc
import Testing

/// The rules that every test of the repository keeps, read from the sources.
@Suite(.timeLimit(.minutes(20))) struct TestStyleTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every test is named by a sentence in backticks and has no second name`() throws {
        var count = 0
        for (file, lines) in try Self.sources() {
            for number in lines.indices where Self.isTest(lines[number]) || lines[number].hasPrefix("@Suite") {
                let declaration = lines[number...].prefix(60).joined(separator: " ")
                let second = declaration.prefixMatch(of: /\s*@(Test|Suite)\(\s*"/)
                #expect(second == nil, "\(file): \(declaration.prefix(100))")
                guard Self.isTest(lines[number]) else { continue }
                count += 1
                let isSentence = declaration.firstMatch(of: /func\s+(`|\w)/)?.1 == "`"
                #expect(isSentence, "\(file): \(declaration.prefix(100))")
            }
        }
        #expect(count > 1000)
    }

    /// The limit only ends a test that hangs.
    ///
    /// A shorter one would depend on the machine.
    @Test func `every suite has a time limit of twenty minutes`() throws {
        let sources = try Self.sources()
        for (file, lines) in sources {
            for line in lines where line.hasBytes(ofOneOf: [".timeLimit("]) && !line.contains("contains(") {
                #expect(line.contains(".timeLimit(.minutes(20))"), "\(file): \(line)")
            }
        }
        let suites = sources.values.flatMap { Self.suites(in: $0) }
        let limited = Set(suites.filter(\.hasLimit).map(\.name))
        #expect(limited.count > 200)
        for suite in suites where suite.hasTests && !limited.contains(suite.name) {
            Issue.record("\(suite.name) has no .timeLimit")
        }
    }

    /// A test that waits for the machine, or measures it, has another verdict on a slow one.
    ///
    /// A clock that a test moves holds a `ContinuousClock.Instant`, and begins at `someMoment`. Where there is one, limits
    /// are by it; elsewhere one below 20 s is by the machine's clock, and a slow machine may reach it.
    @Test func `no test sleeps, measures time or sets short limits, but for those of a list that does not grow`() throws
    {
        let tests = try Self.sources().filter { !$0.key.hasPrefix("TestSupport/") && $0.key != Self.own }
        let looks =
            #/
            Task\.sleep | Time\.(?:system|current\.sleep) | nanosleep | usleep | SuspendingClock
            | ContinuousClock(?!\.Instant(?!\.now))
            | pg_sleep | Date\(\)\.timeIntervalSince(?:\( | 1970\s-\s\() | \.timeIntervalSinceNow
            /#
        let limits =
            #/
            "LEDGERD_\w+_(?:TIMEOUT | PATIENCE | DEADLINE | DRAIN | GRACE | COIN_LIFETIME)":\s"(?:[1-9]\d*ms | 1\ds | [1-9]s)"
            | (?:[wW]ithin | [pP]atience | [tT]imeout)(?:\( | :\s | \s=\s | :\sDuration\s=\s)
                \.(?:milliseconds\( | seconds\(1?\d(?:\.\d+)?\))
            /#
        let words = ["sleep", "Time.system", "Clock", "timeIntervalSince"]
        let limitWords = ["\"LEDGERD_", ".milliseconds(", ".seconds("]
        let found = tests.mapValues { lines in
            let hasClock = lines.contains { $0.hasBytes(ofOneOf: ["ManualTime", "InstantTiming"]) }
            return lines.filter {
                $0.hasBytes(ofOneOf: words) && $0.contains(looks)
                    || !hasClock && $0.hasBytes(ofOneOf: limitWords) && $0.contains(limits)
            }
        }
        try Self.expectListed(
            found, in: "real-time", atMost: 29,
            "wait with eventually(), by a clock of the test, and without a limit that the test is not about")
    }

    /// A server that a test starts at the same moment would hold the socket, and its port, as long as it runs.
    @Test func `no socket is inherited by a process that a test starts`() throws {
        for (file, lines) in try Self.sources() where file != Self.own {
            for line in lines where line.hasBytes(ofOneOf: ["socket(AF_"]) {
                #expect(line.contains("SOCK_CLOEXEC"), "\(file): \(line)")
            }
        }
    }

    /// A run that fails must be repeatable: chance comes from a seed, which `./dev test` says and takes.
    @Test func `no test is decided by chance without a seed`() throws {
        let looks =
            #/
            randomElement\(\) | shuffled?\(\) | SystemRandomNumberGenerator | random\(in:(?!.*using:) | Bool\.random\(\)
            /#
        for (file, lines) in try Self.sources() where !file.hasPrefix("TestSupport/") && file != Self.own {
            for line in lines where line.hasBytes(ofOneOf: ["andom", "shuffle"]) && line.contains(looks) {
                Issue.record("\(file): draw from SplitMix64(seed: Effort.seed), and names from Fresh: \(line)")
            }
        }
    }

    /// The service goes by the time that it is given (docs/decisions/0166), so that tests can move it.
    @Test func `no source asks the machine for the time, but for those of a list that does not grow`() throws {
        let looks =
            #/
            \bDate\(\) | Date\.now | (?:^|[\s(,])\.now\b(?!\() | (?:Continuous|Suspending)Clock\.now | Task\.sleep
            | NIODeadline
            /#
        let words = ["Date()", ".now", "Task.sleep", "NIODeadline"]
        var found: [String: [Substring]] = [:]
        for target in ["Batching", "Console", "Ledger", "LedgerServer", "PGVerifier", "ledgerd"] {
            for (file, lines) in try Self.sources(below: "Sources/\(target)") {
                found["\(target)/\(file)"] = lines.filter {
                    $0.hasBytes(ofOneOf: words) && $0.contains(looks) && !$0.contains(/^\s*\/\//)
                }
            }
        }
        try Self.expectListed(found, in: "real-time-sources", atMost: 19, "ask Time.current")
    }

    /// Expects that the files of a list are those in which there is something, with a reason for each.
    private static func expectListed(
        _ found: [String: [Substring]], in list: String, atMost most: Int, _ advice: String
    ) throws {
        let lines = try String(contentsOf: tests.appending(path: list), encoding: .utf8).split(separator: "\n")
        #expect(lines.count <= most)
        let listed = lines.map { String($0.prefix { $0 != ":" }) }
        #expect(listed == listed.sorted() && Set(listed).count == listed.count)
        for (line, file) in zip(lines, listed) {
            #expect(line.count > file.count + 2, "\(file): it says why")
        }
        for (file, lines) in found where !listed.contains(file) {
            for line in lines { Issue.record("\(file): \(advice): \(line)") }
        }
        let needless = listed.filter { found[$0]?.isEmpty ?? true }
        #expect(needless.isEmpty, "these need real time no more: \(needless)")
    }

    /// This file, whose patterns are no use of what they find.
    private static let own = "ledgerdTests/TestStyleTests.swift"

    /// The lines of each Swift file, by its path below a folder of the repository.
    private static func sources(below folder: String = "Tests") throws -> [String: [Substring]] {
        let root = tests.deletingLastPathComponent().appending(path: folder)
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var sources: [String: [Substring]] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            sources[String(file.path.dropFirst(root.path.count + 1))] =
                text.split(separator: "\n", omittingEmptySubsequences: false)
        }
        return sources
    }

    private static func isTest(_ line: Substring) -> Bool {
        line.drop { $0 == " " }.hasPrefix("@Test")
    }

    private struct Suite {
        let name: String
        let hasLimit: Bool
        var hasTests = false
    }

    /// The types at the top level of a file, and the extensions.
    private static func suites(in lines: [Substring]) -> [Suite] {
        var suites: [Suite] = []
        for line in lines {
            if let first = line.first, first != " ", first != "/",
                let type = line.firstMatch(of: /\b(?:struct|class|actor|extension|enum) (\w+)/)
            {
                suites.append(Suite(name: String(type.1), hasLimit: line.contains(".timeLimit(")))
            } else if isTest(line), !suites.isEmpty {
                suites[suites.count - 1].hasTests = true
            }
        }
        return suites
    }
}

extension StringProtocol {
    /// Whether one of the texts stands in it, byte by byte.
    ///
    /// For rules about all sources: a debug build takes seconds for what regular expressions and comparisons of characters
    /// do with megabytes, and this milliseconds. A regular expression is then tried where it can match.
    func hasBytes(ofOneOf texts: [String]) -> Bool {
        String(self).withCString { bytes in texts.contains { $0.withCString { strstr(bytes, $0) != nil } } }
    }
}

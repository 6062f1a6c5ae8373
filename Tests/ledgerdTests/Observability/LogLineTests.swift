import Foundation
import Logging
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct LogLineTests {
    @Test func `a log line is one JSON object with the metadata as members`() throws {
        let capture = LogCapture()
        var logger = capture.logger()
        logger[metadataKey: "request_id"] = "r1"
        logger.info(
            "request",
            metadata: [
                "status": .stringConvertible(200), "ok": .stringConvertible(true), "list": ["a", "b"],
                "ms": .stringConvertible(0.25), "nan": .stringConvertible(Double.nan), "map": ["k": "v"],
            ])
        let event = try #require(capture.events.first)
        #expect(event["level"] as? String == "info")
        #expect(event["msg"] as? String == "request")
        #expect(event["logger"] as? String == "test")
        #expect(event["request_id"] as? String == "r1")
        #expect(event["status"] as? Int == 200)
        #expect(event["ok"] as? Bool == true)
        #expect(event["list"] as? [String] == ["a", "b"])
        #expect(event["ms"] as? Double == 0.25)
        #expect(event["nan"] is NSNull)
        #expect(event["map"] as? [String: String] == ["k": "v"])
        let time = try #require(event["ts"] as? String)
        #expect(time.count == 24 && time.hasSuffix("Z"))
    }

    @Test(arguments: [
        "quote \" backslash \\ slash /", "line\nfeed\r\ttab", "\u{0}\u{1}\u{1F}\u{7F}", "원화 ₩ 🪙", "\u{2028}", "",
    ])
    func `a log line comes back from JSON as it went in, whatever was logged`(text: String) throws {
        let capture = LogCapture()
        capture.logger().info("\(text)", metadata: ["value": "\(text)", "\(text)x": "key"])
        #expect(capture.lines.count == 1)
        #expect(capture.lines[0].utf8.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        let event = try #require(capture.events.first)
        #expect(event["msg"] as? String == text)
        #expect(event["value"] as? String == text)
        #expect(event["\(text)x"] as? String == "key")
    }

    @Test func `a log line never has two members of one name`() throws {
        let capture = LogCapture()
        capture.logger().warning("real", metadata: ["msg": "forged", "level": "forged"])
        let event = try #require(capture.events.first)
        #expect(event["msg"] as? String == "real")
        #expect(event["level"] as? String == "warning")
        #expect(event["metadata.msg"] as? String == "forged")
    }

    @Test func `a log line is one line of text, with what needs it quoted and escaped`() {
        let line = LogLine(
            time: Date(timeIntervalSince1970: 0), level: .info, logger: "ledgerd", message: "two\nlines",
            metadata: ["bare": "x", "words": "two words", "quote": "a\"b", "feed": "a\nb", "none": ""])
        let text = String(decoding: line.bytes(in: .text), as: UTF8.self)
        #expect(
            text == """
                1970-01-01T00:00:00.000Z info     ledgerd: two\\nlines bare=x feed="a\\nb" none="" quote="a\\"b" words="two words"

                """)
    }

    @Test func `a log line for the journal has its priority and the text, and no time`() {
        let lines = Logger.Level.allCases.map { level in
            LogLine(time: Date(), level: level, logger: "ledgerd", message: "two\nlines", metadata: ["words": "a b"])
        }
        #expect(
            lines.map { String(decoding: $0.bytes(in: .journal), as: UTF8.self) }
                == [7, 7, 6, 5, 4, 3, 2].map { "<\($0)>ledgerd: two\\nlines words=\"a b\"\n" })
    }

    @Test func `a log line below the level is not written`() {
        let capture = LogCapture()
        capture.logger(.text, level: .info).debug("hidden")
        #expect(capture.lines.isEmpty)
    }

    @Test func `the server's own lines of addresses are written at debug only`() {
        let capture = LogCapture()
        for level in [Logger.Level.info, .debug] {
            let logger = capture.logger(level: level)
            logger.info("Server started and listening on 127.0.0.1:\(level)", source: "HummingbirdCore")
            logger.info("Shutting down", source: "HummingbirdCore")
        }
        #expect(
            capture.events.map { $0["msg"] as? String } == [
                "Shutting down", "Server started and listening on 127.0.0.1:debug", "Shutting down",
            ])
    }
}

import Foundation
import Logging
import Synchronization

@testable import LedgerServer

/// Keeps the log lines that a test causes.
final class LogCapture: Sendable {
    private let captured = Mutex([String]())

    var lines: [String] { captured.withLock { $0 } }

    /// The lines as JSON objects.
    var events: [[String: Any]] {
        lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }

    func logger(_ format: LogFormat = .json, level: Logger.Level = .trace) -> Logger {
        let sink = LogSink { [self] line in captured.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
        return Logger(label: "test") { LineLogHandler(label: $0, format: format, level: level, sink: sink) }
    }
}

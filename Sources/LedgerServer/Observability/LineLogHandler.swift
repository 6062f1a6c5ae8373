import FoundationEssentials
import Glibc
import Logging

/// Writes each log event as one line, text or JSON, with one write.
struct LineLogHandler: LogHandler {
    let label: String
    let format: LogFormat
    let sink: LogSink
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String, format: LogFormat, level: Logger.Level, sink: LogSink = .standardError) {
        self.label = label
        self.format = format
        self.sink = sink
        self.logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard logLevel <= .debug || !event.tellsOfListening else { return }
        let line = LogLine(
            time: Date(), level: event.level, logger: label, message: event.message.description,
            metadata: merged(with: event))
        sink.write(line.bytes(in: format))
    }

    /// The event's metadata override the provider's, which override the logger's.
    private func merged(with event: LogEvent) -> Logger.Metadata {
        var all = metadata
        if let provided = metadataProvider?.get(), !provided.isEmpty {
            all.merge(provided) { _, new in new }
        }
        if let own = event.metadata {
            all.merge(own) { _, new in new }
        }
        if let error = event.error {
            all["error"] = .string(String(describing: error))
        }
        return all
    }
}

extension LogEvent {
    /// Whether it is Hummingbird's line for an address that it listens on: the line `serving` has all addresses.
    fileprivate var tellsOfListening: Bool {
        level == .info && source == "HummingbirdCore" && message.description.hasPrefix("Server started")
    }
}

/// The destination of log lines.
struct LogSink: Sendable {
    /// Writes one line, which includes its line feed.
    let write: @Sendable (_ line: [UInt8]) -> Void

    /// Standard error, with one `write(2)` per line, so that lines of several threads never mix.
    static let standardError = LogSink { line in
        line.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return  // the error can't be logged either
                }
            }
        }
    }
}

/// The format of log lines.
enum LogFormat: String, Sendable, CaseIterable {
    /// One line of text per event, for a terminal.
    case text
    /// One JSON object per event, for a log collector.
    case json
    /// For systemd's journal: the text without time and level, with a priority prefix (sd-daemon(3)).
    case journal

    /// Makes the process write its log to standard error in this format.
    ///
    /// Call it once, before the first logger is made.
    ///
    /// - Parameter level: the lowest level that is logged.
    func bootstrap(level: Logger.Level, sink: LogSink = .standardError) {
        LoggingSystem.bootstrap { label in
            LineLogHandler(label: label, format: self, level: level, sink: sink)
        }
    }
}

import FoundationEssentials
import Glibc
import Logging

/// Writes each event as one line, text or JSON, in one write.
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
        let line = LogLine(
            time: Date(), level: event.level, logger: label, message: event.message.description,
            metadata: merged(with: event))
        sink.write(line.bytes(in: format))
    }

    /// The most particular value wins: the event's over the provider's over the logger's.
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

/// Where whole log lines go.
struct LogSink: Sendable {
    /// Takes one line, its line feed included.
    let write: @Sendable (_ line: [UInt8]) -> Void

    /// Standard error, one `write(2)` a line, so that lines of several threads never mix.
    static let standardError = LogSink { line in
        line.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return  // a log that can't be written has nowhere to complain
                }
            }
        }
    }
}

/// How log lines are written.
enum LogFormat: String, Sendable, CaseIterable {
    /// One readable line an event, for a terminal.
    case text
    /// One JSON object an event, for a log collector.
    case json
    /// For systemd's journal: the text without time and level, after the priority as sd-daemon(3) has it.
    case journal

    /// Makes this format the process's log output, on standard error.
    ///
    /// Call it once, before the first logger is made.
    ///
    /// - Parameter level: the lowest level written.
    func bootstrap(level: Logger.Level, sink: LogSink = .standardError) {
        LoggingSystem.bootstrap { label in
            LineLogHandler(label: label, format: self, level: level, sink: sink)
        }
    }
}

import FoundationEssentials
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

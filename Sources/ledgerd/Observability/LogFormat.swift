import Logging

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

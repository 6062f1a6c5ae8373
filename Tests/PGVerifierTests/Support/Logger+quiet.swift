import Logging

extension Logger {
    /// Says nothing: tests make things go wrong on purpose.
    static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

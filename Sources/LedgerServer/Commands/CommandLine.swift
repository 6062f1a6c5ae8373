import ArgumentParser
import CivilTime
import Foundation
import Glibc

/// The standard error stream, for everything but a command's result.
package enum StandardError {
    /// Whether it is a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    package static func print(_ line: String) { write(line + "\n") }

    /// Replaces the terminal's last line.
    static func replaceLine(_ text: String) { write("\r\u{1B}[K" + text) }

    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}

/// The standard input stream.
enum StandardInput {
    /// Whether a person can answer.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}

extension CalendarMoment {
    /// The moment of an option.
    ///
    /// - Parameter option: the option's name, with the dashes.
    static func date(of option: String, _ text: String, in zone: TimeZone) throws -> Date {
        guard let date = date(text, in: zone) else { throw ValidationError("\(option) must be \(rule).") }
        return date
    }
}

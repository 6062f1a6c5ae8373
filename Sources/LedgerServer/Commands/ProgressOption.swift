import ArgumentParser
import Synchronization
import Timing

/// Whether a command tells how far it is.
struct ProgressOption: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Print the progress to standard error (default: on a terminal).")
    var progress: Bool?

    /// Where to print it; nil: nobody asked for it.
    var line: StatusLine? {
        progress ?? StandardError.isTerminal ? StatusLine(isTerminal: StandardError.isTerminal) : nil
    }
}

/// How far a command is, on standard error: on a terminal one line that is overwritten, elsewhere a line every ten
/// seconds.
final class StatusLine: Sendable {
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    /// When it was last written, and what came after that.
    private let state = Mutex<(written: ContinuousClock.Instant?, left: String?)>((nil, nil))

    init(isTerminal: Bool, write: @escaping @Sendable (String) -> Void = StandardError.write) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// Shows how far the command is, unless it was shown just now.
    func show(_ text: String, now: ContinuousClock.Instant = Time.current.instant) {
        state.withLock { state in
            let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(10)
            if let written = state.written, now - written < pause {
                state.left = text
            } else {
                state = (now, nil)
                write(isTerminal ? "\r\u{1B}[K" + text : text + "\n")
            }
        }
    }

    /// Clears the line of a terminal; elsewhere shows how far the command came.
    func end() {
        state.withLock { state in
            if isTerminal { write("\r\u{1B}[K") } else if let left = state.left { write(left + "\n") }
            state.left = nil
        }
    }
}

import Foundation
import Glibc
import Ledger

/// The progress of an export, in one line of a terminal.
struct ProgressLine {
    private static let width = 24

    private let start = ContinuousClock.now
    private var written = ContinuousClock.Instant.now - .seconds(1)
    private var bytes = 0

    /// Whether standard error is a terminal.
    static var hasReader: Bool { isatty(STDERR_FILENO) == 1 }

    /// Shows the state after a part, at most ten times a second.
    mutating func show(_ part: Export.Part) {
        bytes += part.bytes.count
        let now = ContinuousClock.now
        guard now - written >= .milliseconds(100) else { return }
        written = now
        let bar = part.progress.map { Self.bar($0) + " " } ?? ""
        Self.write("\r\(bar)\(Self.summary(rows: part.rows, bytes: bytes, in: now - start))\u{1B}[K")
    }

    /// Replaces the line by the totals.
    func end(_ trailer: ExportTrailer) {
        Self.write(
            "\r\(Self.summary(rows: trailer.rows, bytes: bytes, in: .now - start)), SHA-256 \(trailer.sha256)\u{1B}[K\n"
        )
    }

    private static func bar(_ progress: Double) -> String {
        let done = Int(progress * Double(width))
        let percent = String(Int(progress * 100))
        return "[" + String(repeating: "#", count: done) + String(repeating: ".", count: width - done) + "] "
            + String(repeating: " ", count: 3 - percent.count) + percent + " %"
    }

    private static func summary(rows: Int64, bytes: Int, in duration: Duration) -> String {
        let seconds = max(duration / .seconds(1), 0.001)
        return "\(rows) rows, \(bytes >> 20) MiB, \(Int(Double(rows) / seconds)) rows/s"
    }

    private static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

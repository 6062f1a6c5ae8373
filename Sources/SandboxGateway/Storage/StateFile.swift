import FoundationEssentials
import Glibc
import Logging
import Synchronization

/// The data file: a line of JSON for each change, written before the change is answered.
///
/// So a process that is killed loses nothing that was answered. Nothing waits for the disk: what is lost with the power
/// is what the system had not written yet.
///
/// At the start, the file is read and replaced by one that has only the latest of everything. It is locked while the
/// gateway runs.
final class StateFile: Sendable {
    private let path: String
    private let logger: Logger
    private let file: LockedFile
    /// The file that was replaced: a gateway that opened it before must not get its lock.
    private let replaced: LockedFile
    private let broken = Mutex(false)

    private static let header = #"{"portone-sandbox":1}"#
    private static let newline = UInt8(ascii: "\n")

    private init(_ path: String, _ file: consuming LockedFile, _ replaced: consuming LockedFile, _ logger: Logger) {
        self.path = path
        self.file = file
        self.replaced = replaced
        self.logger = logger
    }

    /// Opens the file at `path`, which need not exist, and reads its state.
    ///
    /// - Throws: ``SandboxGatewayError`` if it can't be opened or read, isn't a data file, or is in use.
    static func open(_ path: String, logger: Logger) throws(SandboxGatewayError) -> (StateFile, SavedState) {
        let present = try LockedFile(path)
        let saved = try read(path)
        let next = try LockedFile(path + ".new")
        do {
            try next.clear()
            var bytes = Array((header + "\n").utf8)
            for record in saved.records {
                bytes += try line(record)
                guard bytes.count > 1 << 16 else { continue }
                try next.append(bytes)
                bytes = []
            }
            try next.append(bytes)
            try next.replace(path)
        } catch {
            throw SandboxGatewayError(description: "\(path).new can't be written: \(error)")
        }
        return (StateFile(path, next, present, logger), saved)
    }

    /// Whether a change could not be written; then the gateway must not answer any more.
    var isBroken: Bool { broken.withLock { $0 } }

    /// Writes the records of one change together.
    func append(_ records: [StateRecord]) {
        do {
            try broken.withLock { isBroken in
                guard !isBroken else { return }
                isBroken = true
                try file.append(try records.flatMap(Self.line))
                isBroken = false
            }
        } catch {
            logger.critical(
                "the data file can't be written; every request is answered with 500 until a restart",
                metadata: ["path": "\(path)", "error": "\(error)"])
        }
    }

    private static func line(_ record: StateRecord) throws -> [UInt8] {
        Array(try JSONEncoder().encode(record)) + [newline]
    }

    // MARK: Reading

    private static func read(_ path: String) throws(SandboxGatewayError) -> SavedState {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw SandboxGatewayError(description: "\(path) can't be read: \(error)")
        }
        var saved = SavedState()
        if bytes.isEmpty { return saved }
        let lines = lines(of: bytes)
        guard let first = lines.first, String(decoding: first, as: UTF8.self) == header else {
            throw SandboxGatewayError(
                description:
                    "\(path) is not a data file of this portone-sandbox; name another file, or move this file away")
        }
        let decoder = JSONDecoder()
        for (index, line) in lines.enumerated().dropFirst() {
            do {
                saved.apply(try decoder.decode(StateRecord.self, from: line))
            } catch {
                throw SandboxGatewayError(
                    description: """
                        \(path) is broken in line \(index + 1): delete this line and all after it to lose only those \
                        changes, or move the file away to begin without payments
                        """)
            }
        }
        return saved
    }

    /// The complete lines: a last one without its end was being written when the process ended, and was not answered.
    private static func lines(of bytes: Data) -> [Data] {
        bytes.withUnsafeBytes { bytes in
            var lines: [Data] = []
            var rest = bytes[...]
            while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                let end = memchr(start, CInt(newline), rest.count)
            {
                let count = UnsafeRawPointer(end) - start
                lines.append(Data(rest.prefix(count)))
                rest = rest.dropFirst(count + 1)
            }
            return lines
        }
    }
}

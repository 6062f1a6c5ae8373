import Glibc

/// Reads a file line by line, without holding more of it than a line.
final class LineReader {
    /// The longest line that is read.
    private static let longest = 16 << 20
    private static let partSize = 256 << 10

    private let path: String
    private let descriptor: Int32
    private let isOwned: Bool
    private var buffer: [UInt8] = []
    /// Where the next line begins in the buffer.
    private var start = 0
    private var hasEnded = false

    /// - Parameter path: the file's name; `-` for standard input.
    /// - Throws: ``Refused``.
    init(_ path: String) throws {
        self.path = path == "-" ? "standard input" : path
        isOwned = path != "-"
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refused("\(path) can't be read: \(String(cString: strerror(errno)))") }
    }

    deinit { if isOwned { close(descriptor) } }

    /// The next line without its line feed; nil: the file has ended.
    func next() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            guard !hasEnded else {
                defer { start = buffer.count }
                return start < buffer.count ? Array(buffer[start...]) : nil
            }
            searched = buffer.count - start
            buffer.removeFirst(start)
            start = 0
            guard buffer.count < Self.longest else { throw Refused("\(path) has a line that is too long") }
            try readMore()
        }
    }

    private func readMore() throws {
        var part = [UInt8](repeating: 0, count: Self.partSize)
        var count = -1
        repeat { count = read(descriptor, &part, Self.partSize) } while count < 0 && errno == EINTR
        guard count >= 0 else { throw Refused("\(path) can't be read: \(String(cString: strerror(errno)))") }
        hasEnded = count == 0
        buffer += part.prefix(count)
    }
}

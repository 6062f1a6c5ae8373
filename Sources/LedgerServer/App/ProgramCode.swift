import Glibc

/// The program's code in memory.
enum ProgramCode {
    /// Gives the pages of the code back to the system, most of which only the start needed.
    ///
    /// What is used again is read from the file, or from the file's pages in the kernel's memory. The kernel takes such
    /// pages by itself, but only when memory is short; until then a process that does nothing seems to need them.
    static func giveBackPages() {
        for code in unchanged(in: smaps()) {
            // Without it, which a kernel may refuse, the process is only larger.
            if let start = UnsafeMutableRawPointer(bitPattern: code.lowerBound) {
                madvise(start, Int(code.upperBound - code.lowerBound), MADV_DONTNEED)
            }
        }
    }

    /// The process's memory (proc(5)), which the kernel gives piece by piece: Foundation reads the first piece only.
    static func smaps() -> String {
        guard let file = fopen("/proc/self/smaps", "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
    }

    /// The addresses of the files' code, in ``smaps()``.
    ///
    /// Each is a private mapping of a file, which nobody can write to; as no page of it is anonymous, in memory or
    /// swapped out, all are the file's. Code that was changed, as by a debugger or a linker, has anonymous pages: it is
    /// left out, because the change would be lost.
    static func unchanged(in smaps: String) -> [Range<UInt>] {
        var found: [Range<UInt>] = []
        var code: Range<UInt>?
        /// Whether all of its pages in memory are the file's.
        var isOfFile = false
        for line in smaps.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 1 else { continue }
            if fields.count > 4, let addresses = addresses(fields[0]) {
                code = fields[1] == "r-xp" && fields[4] != "0" ? addresses : nil
                isOfFile = false
            } else if fields[0] == "Anonymous:" {
                isOfFile = fields[1] == "0"
            } else if fields[0] == "Swap:", fields[1] == "0", isOfFile, let mapped = code {
                found.append(mapped)
                code = nil
            }
        }
        return found
    }

    /// The addresses of a text such as `5581c9d000-5581cb1000`.
    private static func addresses(_ text: Substring) -> Range<UInt>? {
        let ends = text.split(separator: "-").compactMap { UInt($0, radix: 16) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
}

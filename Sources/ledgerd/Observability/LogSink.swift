import Glibc

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

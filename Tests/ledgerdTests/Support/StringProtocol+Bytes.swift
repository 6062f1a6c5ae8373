import Glibc

extension StringProtocol {
    /// Whether one of the texts stands in it, byte by byte.
    ///
    /// For rules about all sources: a debug build takes seconds for what regular expressions and comparisons of characters
    /// do with megabytes, and this milliseconds. A regular expression is then tried where it can match.
    func hasBytes(ofOneOf texts: [String]) -> Bool {
        var text = String(self)
        return text.withUTF8 { bytes in
            texts.contains { one in
                var one = one
                return one.withUTF8 { memmem(bytes.baseAddress, bytes.count, $0.baseAddress, $0.count) != nil }
            }
        }
    }
}

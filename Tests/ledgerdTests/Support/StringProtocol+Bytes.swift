import Glibc

extension StringProtocol {
    /// Whether one of the texts stands in it, byte by byte.
    ///
    /// For rules about all sources: a debug build takes seconds for what regular expressions and comparisons of characters
    /// do with megabytes, and this milliseconds. A regular expression is then tried where it can match.
    func hasBytes(ofOneOf texts: [String]) -> Bool {
        String(self).withCString { bytes in texts.contains { $0.withCString { strstr(bytes, $0) != nil } } }
    }
}

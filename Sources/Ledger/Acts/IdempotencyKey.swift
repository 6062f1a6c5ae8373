/// A caller's name for one act, by which a repeated request finds the first one's outcome.
public struct IdempotencyKey: Hashable, Sendable {
    /// 1 to 255 printable ASCII characters.
    public let text: String
    /// Who chose it: another caller's key of the same text is another key.
    public let caller: UserID

    /// Takes a caller's key.
    ///
    /// - Returns: nil when it is empty, longer than 255 characters, or holds anything but printable ASCII.
    public init?(_ text: String, of caller: UserID) {
        guard (1...255).contains(text.utf8.count) else { return nil }
        guard text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
        self.text = text
        self.caller = caller
    }
}

extension Int64 {
    /// The number in a text of 1 to 18 ASCII digits, as requests write ids and counts; nil for anything else.
    ///
    /// `Int64(_:)` also accepts a sign. One number must have one spelling only, for caches and for the API's document.
    package init?(digits text: some StringProtocol) {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        self.init(text)
    }
}

/// A part of a list, and whether more follows.
public struct Page<Element: Sendable, Cursor: Sendable>: Sendable {
    /// The elements, in the list's order.
    public let elements: [Element]
    /// Where the next page starts; nil on the last one.
    public let next: Cursor?

    /// Makes a page of at most `limit` elements out of up to one more than that.
    init(_ elements: [Element], limit: Int, cursor: ([Element]) -> Cursor?) {
        let hasMore = elements.count > limit
        self.elements = Array(elements.prefix(limit))
        self.next = hasMore ? cursor(self.elements) : nil
    }
}

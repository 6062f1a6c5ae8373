public import Foundation

/// Something that happened to a customer: exactly one of `entry`, `receipt`, `order` and `note`.
public struct TimelineItemBody: Codable, Hashable, Sendable {
    /// When it was recorded.
    public let at: Date
    /// An act on the customer's coins.
    public let entry: StatementEntryBody?
    /// A receipt that could not be decided at once.
    public let receipt: StoredReceiptBody?
    /// An order, with its present status.
    public let order: OrderBody?
    /// What support wrote down.
    public let note: CustomerNoteBody?

    /// Creates an item.
    public init(
        at: Date, entry: StatementEntryBody? = nil, receipt: StoredReceiptBody? = nil, order: OrderBody? = nil,
        note: CustomerNoteBody? = nil
    ) {
        self.at = at
        self.entry = entry
        self.receipt = receipt
        self.order = order
        self.note = note
    }
}

extension TimelineItemBody: ListedBody {
    /// `items`.
    public static let listName = "items"
}

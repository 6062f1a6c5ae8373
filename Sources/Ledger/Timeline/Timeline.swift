package import Foundation

/// Something that happened to a customer.
package enum TimelineItem: Sendable, Equatable {
    /// An act on the customer's coins.
    case entry(StatementEntry)
    /// A receipt that could not be decided at once.
    case receipt(StoredReceipt)
    case order(Order)
    case note(CustomerNote)

    /// When it was recorded.
    package var at: Date {
        switch self {
        case .entry(let entry): entry.recordedAt
        case .receipt(let receipt): receipt.createdAt
        case .order(let order): order.createdAt
        case .note(let note): note.writtenAt
        }
    }
}

/// Where the next page of a timeline begins: after the last item of each source.
package struct TimelineCursor: Sendable, Codable, Equatable {
    var entries: StatementCursor?
    var receipts: After<Int64>?
    var orders: After<Int64>?
    var notes: After<Int64>?
}

/// Reads everything that happened to a customer: the statement, and what moved no coins.
package struct Timeline: Sendable {
    private let statements: Statements
    private let receipts: ReceiptRetries
    private let orders: Orders
    private let notes: CustomerNotes

    init(_ statements: Statements, _ receipts: ReceiptRetries, _ orders: Orders, _ notes: CustomerNotes) {
        self.statements = statements
        self.receipts = receipts
        self.orders = orders
        self.notes = notes
    }

    /// What happened to the customer, newest first.
    ///
    /// Each source is read for a whole page, and the pages are merged by time.
    package func list(
        of user: UserID, after cursor: TimelineCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<TimelineItem, TimelineCursor> {
        let entries = try await statements.filledHistory(of: user, after: cursor?.entries, limit: limit)
        let receipts = try await receipts.list(of: user, after: cursor?.receipts, limit: limit)
        let orders = try await orders.list(of: user, after: cursor?.orders, limit: limit)
        let notes = try await notes.list(on: user, after: cursor?.notes, limit: limit)
        let all =
            entries.elements.map(TimelineItem.entry).placed() + receipts.elements.map(TimelineItem.receipt).placed()
            + orders.elements.map(TimelineItem.order).placed() + notes.elements.map(TimelineItem.note).placed()
        // A stable sort: what a source has in one moment stays in the source's order.
        let sorted = all.enumerated().sorted { one, other in
            one.element.at == other.element.at ? one.offset < other.offset : one.element.at > other.element.at
        }.map(\.element.item)
        let shown = Array(sorted.prefix(limit))
        let hasMore =
            sorted.count > limit || entries.next != nil || receipts.next != nil || orders.next != nil
            || notes.next != nil
        return Page(elements: shown, next: hasMore ? Self.cursor(after: shown, entries, following: cursor) : nil)
    }

    /// - Parameter read: the entries that were read for the page.
    private static func cursor(
        after shown: [TimelineItem], _ read: Page<StatementEntry, StatementCursor>, following earlier: TimelineCursor?
    ) -> TimelineCursor {
        var cursor = earlier ?? TimelineCursor()
        let entries = shown.compactMap { item -> StatementEntry? in
            if case .entry(let entry) = item { entry } else { nil }
        }
        // After the last entry of an id, the next page begins with the next former id.
        if entries.count == read.elements.count, let next = read.next {
            cursor.entries = next
        } else if let last = entries.last {
            let begin = cursor.entries?.former == last.former ? cursor.entries : last.former.map(StatementCursor.init)
            cursor.entries = StatementCursor(after: entries.filter { $0.former == last.former }, following: begin)
        }
        for item in shown {
            switch item {
            case .entry: break
            case .receipt(let receipt): cursor.receipts = After(id: receipt.id)
            case .order(let order): cursor.orders = After(id: order.id)
            case .note(let note): cursor.notes = After(id: note.id)
            }
        }
        return cursor
    }
}

extension [TimelineItem] {
    /// Each with the time of its place, which is never later than that of the one before: entries of a former id come
    /// after all of the present one.
    fileprivate func placed() -> [(at: Date, item: TimelineItem)] {
        var at = Date.distantFuture
        return map { item in
            at = Swift.min(at, item.at)
            return (at, item)
        }
    }
}

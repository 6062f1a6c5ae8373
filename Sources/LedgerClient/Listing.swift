import CivilTime
import Foundation

/// A list of the service, loaded page after page during iteration.
///
/// ```swift
/// for try await purchase in client.me.purchases() { print(purchase.coins) }
/// ```
///
/// To show one page at a time, call ``page(after:)`` with the previous page's `nextCursor`.
public struct Listing<Item: ListedBody>: AsyncSequence, Sendable {
    /// An item of the list.
    public typealias Element = Item

    let fetch: @Sendable (_ cursor: String?) async throws -> ListBody<Item>

    /// One page: the first, or the page at a cursor.
    public func page(after cursor: String? = nil) async throws -> ListBody<Item> { try await fetch(cursor) }

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(fetch: fetch) }

    /// An iteration over a list.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let fetch: @Sendable (_ cursor: String?) async throws -> ListBody<Item>
        private var rest: ArraySlice<Item> = []
        private var cursor: String?
        private var isLastPage = false

        fileprivate init(fetch: @escaping @Sendable (_ cursor: String?) async throws -> ListBody<Item>) {
            self.fetch = fetch
        }

        /// The next item; nil after the last.
        public mutating func next() async throws -> Item? {
            while rest.isEmpty, !isLastPage {
                let page = try await fetch(cursor)
                rest = page.items[...]
                cursor = page.nextCursor
                isLastPage = cursor == nil
            }
            return rest.popFirst()
        }
    }
}

/// The given parameters of a query.
func filters(from: Date? = nil, to: Date? = nil, _ others: [String: String?] = [:]) -> [(String, String)] {
    let period = [("from", from), ("to", to)].compactMap { name, date in
        date.map { (name, RFC3339.string(from: $0)) }
    }
    return period + others.sorted { $0.key < $1.key }.compactMap { name, value in value.map { (name, $0) } }
}

import CivilTime
import Foundation

/// A list of the service, read page after page as it is walked through.
///
/// ```swift
/// for try await purchase in client.me.purchases() { print(purchase.coins) }
/// ```
///
/// A screen that shows one page at a time calls ``page(after:)`` with the last page's `nextCursor`.
public struct Listing<Item: ListedBody>: AsyncSequence, Sendable {
    /// What is listed.
    public typealias Element = Item

    let fetch: @Sendable (_ cursor: String?) async throws -> ListBody<Item>

    /// One page: the first, or that which a cursor leads to.
    public func page(after cursor: String? = nil) async throws -> ListBody<Item> { try await fetch(cursor) }

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(fetch: fetch) }

    /// A walk through a list.
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

/// The parameters of a query that are given.
func filters(from: Date? = nil, to: Date? = nil, _ others: [String: String?] = [:]) -> [(String, String)] {
    let period = [("from", from), ("to", to)].compactMap { name, date in
        date.map { (name, RFC3339.string(from: $0)) }
    }
    return period + others.sorted { $0.key < $1.key }.compactMap { name, value in value.map { (name, $0) } }
}

import Ledger

/// All elements of a list, page by page.
func collect<Element, Cursor>(
    _ page: (Cursor?) async throws -> Page<Element, Cursor>
) async throws -> [Element] {
    var found: [Element] = []
    var cursor: Cursor?
    repeat {
        let next = try await page(cursor)
        found += next.elements
        cursor = next.next
    } while cursor != nil
    return found
}

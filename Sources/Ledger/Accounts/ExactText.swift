import Foundation

/// Text that equals only what has the same bytes, as PostgreSQL compares it.
///
/// Swift's strings are equal when people read them alike: "é" as one scalar equals "e" and an accent. To the database
/// they are two users with two wallets, and a plan that took one for the other would credit the wrong one.
struct ExactText: Hashable, Sendable {
    let string: String

    init(_ string: String) { self.string = string }

    static func == (left: ExactText, right: ExactText) -> Bool {
        let (left, right) = (left.string.utf8, right.string.utf8)
        guard left.count == right.count else { return false }
        let isEqual = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in
                guard let first = left.baseAddress, let other = right.baseAddress else { return true }
                return memcmp(first, other, left.count) == 0
            }
        }
        // A string that Foundation bridged may lie in pieces.
        return (isEqual ?? nil) ?? left.elementsEqual(right)
    }

    func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

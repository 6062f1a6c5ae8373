import Foundation

/// Text that is equal only if its bytes are equal, as in PostgreSQL.
///
/// Swift's strings are equal when they look the same: "é" as one scalar equals "e" with an accent. In the database
/// these are two users with two wallets, and a plan that confused them would credit the wrong user.
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
        // A string bridged by Foundation may not be contiguous.
        return (isEqual ?? nil) ?? left.elementsEqual(right)
    }

    func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

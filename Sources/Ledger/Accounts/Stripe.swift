/// One of the ledger's independent parts.
///
/// Every purchase posts to system accounts. Each stripe has its own set of them, every user belongs to one stripe, and
/// every journal entry belongs to one stripe. So writers of different stripes never wait for each other.
package struct Stripe: Hashable, Comparable, Sendable {
    /// 0 ..< the ledger's number of stripes.
    package let number: Int64

    /// The stripe of entries that belong to no user.
    static let first = Stripe(number: 0)

    init(number: Int64) { self.number = number }

    /// The stripe of a user: FNV-1a (64 bits) of the id in UTF-8, modulo the number of stripes.
    ///
    /// The function must never change: a user's accounts stay in the stripe in which they were opened.
    package init(of user: UserID, among stripes: Int64) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in user.rawValue.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        self.number = Int64(hash % UInt64(stripes))
    }

    /// Orders stripes by number.
    package static func < (left: Stripe, right: Stripe) -> Bool { left.number < right.number }
}

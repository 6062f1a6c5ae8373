/// One of the ledger's independent shares.
///
/// System accounts are touched by every purchase. Each stripe has a set of its own, every user belongs to one stripe,
/// and every journal entry lies within one, so writers of different stripes never wait for each other.
package struct Stripe: Hashable, Comparable, Sendable {
    /// 0 ..< the ledger's number of stripes.
    package let number: Int64

    init(number: Int64) { self.number = number }

    /// The stripe of a user: FNV-1a (64 bit) of the id's UTF-8, modulo the number of stripes.
    ///
    /// It must never change: a user's accounts stay in the stripe in which they were opened.
    package init(of user: UserID, among stripes: Int64) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in user.rawValue.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        self.number = Int64(hash % UInt64(stripes))
    }

    /// Stripes in their order.
    package static func < (left: Stripe, right: Stripe) -> Bool { left.number < right.number }
}

import CivilTime

/// A set of record ids, with about one bit per id: ids come from one sequence in blocks, so they are dense.
struct IDSet: Sendable {
    private static let pageBits: Int64 = 4096

    private var pages: [Int64: [UInt64]] = [:]

    /// - Returns: whether the id is new.
    mutating func insert(_ id: Int64) -> Bool {
        let (page, bit) = id.flooredDivision(by: Self.pageBits)
        let mask: UInt64 = 1 << UInt64(bit % 64)
        let word = Int(bit / 64)
        let empty = { [UInt64](repeating: 0, count: Int(Self.pageBits / 64)) }
        if pages[page, default: empty()][word] & mask != 0 { return false }
        pages[page, default: empty()][word] |= mask
        return true
    }
}

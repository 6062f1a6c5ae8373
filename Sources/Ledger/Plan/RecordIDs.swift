/// Ids that this writer took from the database's sequence and has not used yet.
struct RecordIDs: Sendable, Equatable {
    /// The ids per step of the sequence: its `INCREMENT BY`.
    static let blockSize: Int64 = 4096

    private var blocks: [Range<Int64>] = []

    /// The number of ids left.
    var count: Int { blocks.reduce(0) { $0 + $1.count } }

    /// Adds the blocks of ids that start at these values of the sequence.
    mutating func add(blocksFrom starts: [Int64]) {
        blocks += starts.map { $0..<($0 + Self.blockSize) }
    }

    /// The number of blocks to add so that `needed` ids are there.
    func blocksMissing(for needed: Int) -> Int64 {
        let missing = Int64(max(0, needed - count))
        return (missing + Self.blockSize - 1) / Self.blockSize
    }

    /// The next id.
    ///
    /// Running out of ids is a bug: before planning, the writer provides as many as the largest plan can need.
    mutating func next() -> Int64 {
        guard let block = blocks.first else { preconditionFailure("a plan needed more ids than it was given") }
        if block.count == 1 {
            blocks.removeFirst()
        } else {
            blocks[0] = block.dropFirst()
        }
        return block.lowerBound
    }
}

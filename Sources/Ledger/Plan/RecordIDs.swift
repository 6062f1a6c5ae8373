/// Ids that this writer has taken from the database's sequence and not yet given to a record.
struct RecordIDs: Sendable, Equatable {
    /// How many ids one step of the sequence yields: its `INCREMENT BY`.
    static let blockSize: Int64 = 4096

    private var blocks: [Range<Int64>] = []

    /// How many ids are left.
    var count: Int { blocks.reduce(0) { $0 + $1.count } }

    /// Adds the blocks that start at these values of the sequence.
    mutating func add(blocksFrom starts: [Int64]) {
        blocks += starts.map { $0..<($0 + Self.blockSize) }
    }

    /// How many more blocks are needed to have that many ids.
    func blocksMissing(for needed: Int) -> Int64 {
        let missing = Int64(max(0, needed - count))
        return (missing + Self.blockSize - 1) / Self.blockSize
    }

    /// The next id.
    ///
    /// Running out is a bug: the writer provides for the largest plan before planning.
    mutating func next() -> Int64 {
        guard let block = blocks.first else { preconditionFailure("a plan needed more ids than were provided for it") }
        if block.count == 1 {
            blocks.removeFirst()
        } else {
            blocks[0] = block.dropFirst()
        }
        return block.lowerBound
    }
}

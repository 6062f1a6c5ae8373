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

    /// The number of blocks to add so that there are so many rows of `size` consecutive ids.
    func blocksMissing(forRows rows: Int, of size: Int64) -> Int64 {
        let missing = max(0, Int64(rows) - blocks.reduce(0) { $0 + Int64($1.count) / size })
        let rowsOfBlock = Self.blockSize / size
        return (missing + rowsOfBlock - 1) / rowsOfBlock
    }

    /// The first of `size` consecutive ids.
    ///
    /// What is left of a block that has fewer is given up. Running out of ids is a bug, as in ``next()``.
    mutating func nextRow(of size: Int64) -> Int64 {
        while let block = blocks.first, Int64(block.count) < size { blocks.removeFirst() }
        guard let block = blocks.first else { preconditionFailure("purchases needed more ids than they were given") }
        blocks[0] = (block.lowerBound + size)..<block.upperBound
        if blocks[0].isEmpty { blocks.removeFirst() }
        return block.lowerBound
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

/// The callers that wait for a connection, in order of arrival.
struct PoolWaiters {
    typealias Continuation = CheckedContinuation<Void, any Error>

    /// Ticket numbers in order; those missing from `continuations` have given up and are skipped.
    private var order: [UInt64] = []
    private var first = 0
    private var continuations: [UInt64: Continuation] = [:]
    private var lastNumber: UInt64 = 0

    var count: Int {
        continuations.count
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func append(_ number: UInt64, _ continuation: Continuation) {
        order.append(number)
        continuations[number] = continuation
    }

    mutating func remove(_ number: UInt64) -> Continuation? {
        let continuation = continuations.removeValue(forKey: number)
        if continuations.isEmpty {
            order.removeAll()
            first = 0
        }
        return continuation
    }

    mutating func popFirst() -> Continuation? {
        while first < order.count {
            let number = order[first]
            first += 1
            if let continuation = continuations.removeValue(forKey: number) {
                trim()
                return continuation
            }
        }
        trim()
        return nil
    }

    mutating func failAll(_ error: PostgresError) {
        while let continuation = popFirst() {
            continuation.resume(throwing: error)
        }
    }

    /// Drops served entries when they are the larger part: constant work per caller.
    private mutating func trim() {
        if first > order.count / 2 {
            order.removeFirst(first)
            first = 0
        }
    }
}

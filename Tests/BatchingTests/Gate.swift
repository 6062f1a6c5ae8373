import Synchronization

/// Holds batches until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Returns when somebody waits to pass.
    func isReached() async {
        while waiting.isEmpty { await Task.yield() }
    }

    func pass() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// Items in the order in which something happened to them.
final class Recorded: Sendable {
    private let recorded = Mutex<[Int]>([])

    var items: [Int] { recorded.withLock(\.self) }

    func append(_ item: Int) { recorded.withLock { $0.append(item) } }
}

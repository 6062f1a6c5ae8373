import Hummingbird
import Synchronization

extension Response {
    /// Calls back with the number of body bytes once they are known: at once for a body of known length, at its end for
    /// a streamed one, whether it ended well or not.
    ///
    /// Hummingbird's own hook for this is private to its package, and takes even small bodies off the fast path of a
    /// single write.
    consuming func onFinish(_ finished: @escaping @Sendable (_ bytes: Int) -> Void) -> Response {
        if let length = body.contentLength {
            finished(length)
            return self
        }
        let streamed = body
        body = ResponseBody { writer in
            let counter = ByteCounter()
            defer { finished(counter.total) }
            try await streamed.write(
                writer.map { buffer in
                    counter.add(buffer.readableBytes)
                    return buffer
                })
        }
        return self
    }
}

private final class ByteCounter: Sendable {
    private let count = Atomic(0)

    var total: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}

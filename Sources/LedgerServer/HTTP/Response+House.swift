package import Hummingbird
import Synchronization

extension Response {
    /// A redirect that a browser follows with `GET`.
    package static func seeOther(_ location: String) -> Response {
        Response(status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
    }

    /// Calls `finished` with the number of body bytes: at once for a body of known length, or at the end of a streamed
    /// body, even if it failed.
    ///
    /// Hummingbird has a similar hook, but it is private and prevents the single write of small bodies.
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

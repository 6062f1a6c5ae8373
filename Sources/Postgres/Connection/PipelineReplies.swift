/// The replies that a pipeline still owes, and what has gone wrong in it.
struct PipelineReplies {
    /// One statement that was sent.
    struct Expected {
        let key: PreparedStatementCache.Key
        /// The name under which it is being prepared, when it is.
        let preparing: String?
    }

    let wire: Wire
    var expected: ArraySlice<Expected>
    private(set) var failure: PostgresError?

    init(wire: Wire, expected: [Expected]) {
        self.wire = wire
        self.expected = expected[...]
    }

    /// Keeps the first error that tells what has happened.
    ///
    /// After an error of the server nothing more happens in a pipeline, even if the connection breaks next. An error of
    /// decoding says nothing about the statements behind it, so theirs take its place.
    mutating func fail(_ error: PostgresError) {
        if failure == nil || failure?.code == .decoding && error.code != .decoding {
            failure = error
        }
    }
}

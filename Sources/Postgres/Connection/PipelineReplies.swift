/// The expected replies of a pipeline, and its first error.
struct PipelineReplies {
    /// A sent statement.
    struct Expected {
        let key: PreparedStatementCache.Key
        /// The name for the prepared statement; nil: it is not being prepared.
        let preparing: String?
    }

    let wire: Wire
    var expected: ArraySlice<Expected>
    private(set) var failure: PostgresError?

    init(wire: Wire, expected: [Expected]) {
        self.wire = wire
        self.expected = expected[...]
    }

    /// Keeps the first informative error.
    ///
    /// After a server error, the rest of a pipeline is not executed, even if the connection breaks next. A decoding
    /// error says nothing about later statements, so their errors replace it.
    mutating func fail(_ error: PostgresError) {
        if failure == nil || failure?.code == .decoding && error.code != .decoding {
            failure = error
        }
    }
}

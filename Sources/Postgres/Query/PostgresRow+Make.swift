extension PostgresRow {
    /// The value of all columns.
    ///
    /// - Throws: `decoding` as ``subscript(_:)``, and if the row has more columns than the value takes.
    @inlinable
    public func read<Value: PostgresReadable>(as: Value.Type = Value.self) throws -> Value {
        var column = 0
        let value = try Value.read(self, at: &column)
        guard column == count else { throw unread(from: column, as: Value.self) }
        return value
    }

    /// Makes a value of all columns, in their order.
    ///
    /// The columns are listed once, as the parameters of an initializer:
    ///
    /// ```swift
    /// struct Wallet { let id: Int64, code: String, closedAt: Date? }
    /// let wallets = PostgresQuery("SELECT id, code, closed_at FROM wallet") { row in try row.make(Wallet.init) }
    /// ```
    ///
    /// - Throws: `decoding` as ``subscript(_:)``, and if the row has another number of columns than `make` takes.
    ///   A type whose members all have defaults has an `init` without parameters too, which is taken for `make`: give it none.
    @inlinable
    public func make<each Value: PostgresReadable, Made>(_ make: (repeat each Value) throws -> Made) throws -> Made {
        var column = 0
        let made = try make(repeat try (each Value).read(self, at: &column))
        guard column == count else { throw unread(from: column, as: Made.self) }
        return made
    }

    /// Makes a value of the columns from `column` on, and moves `column` past them.
    ///
    /// For ``PostgresReadable/read(_:at:)``.
    @inlinable
    public func make<each Value: PostgresReadable, Made>(
        at column: inout Int, _ make: (repeat each Value) throws -> Made
    ) throws -> Made {
        try make(repeat try (each Value).read(self, at: &column))
    }

    @usableFromInline
    func unread(from column: Int, as made: Any.Type) -> PostgresError {
        error(column, "is not read: the row has \(count) columns, and \(made) takes \(column)")
    }
}

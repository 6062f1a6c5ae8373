import CEmbedded

/// A forward migration of the database's schema, embedded in the binary.
package struct Migration: Sendable {
    /// The number at the start of the file name.
    package let version: Int
    /// The rest of the file name, without the extension.
    package let name: String
    /// The statements, which run in one transaction unless ``runsOutsideTransaction``.
    package let sql: String
}

extension Migration {
    /// All migrations of this binary, in order.
    ///
    /// A merged migration never changes. `MigrationFilesTests` compares this list with the folder.
    package static let all = UnsafeBufferPointer(start: embedded_migrations(), count: embedded_migration_count())
        .compactMap(Migration.init(file:))

    /// Nil when the name is not `NNNN_name.sql`.
    ///
    /// `MigrationFilesTests` finds such a name.
    private init?(file: embedded_file) {
        let name = String(cString: file.name)
        guard name.hasSuffix(".sql"), let underscore = name.firstIndex(of: "_"),
            let version = Int(name[..<underscore])
        else { return nil }
        self.version = version
        self.name = String(name[name.index(after: underscore)...].dropLast(".sql".count))
        self.sql = String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    }
}

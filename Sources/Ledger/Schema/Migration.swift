import CEmbedded

/// One forward step of the database's schema, embedded in the binary.
package struct Migration: Sendable {
    /// Its place in the order: the number its file name starts with.
    package let version: Int
    /// The rest of the file name, without the ending.
    package let name: String
    /// What it executes, in one transaction.
    package let sql: String
}

extension Migration {
    /// Every migration of this binary, in order.
    ///
    /// A merged one never changes; `MigrationFilesTests` compares this list with the folder.
    package static let all = UnsafeBufferPointer(start: embedded_migrations(), count: embedded_migration_count())
        .compactMap(Migration.init(file:))

    /// Nothing when the name is not NNNN_name.sql, which `MigrationFilesTests` finds.
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

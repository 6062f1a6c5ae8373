import Postgres

/// The salts of entries and accounts, or what is left when their texts were erased.
///
/// Whoever adds a link draws the salts that are missing, so writers of entries have nothing to do with them.
struct ChainSalts: Sendable {
    private var ofEntries: [Int64: Row] = [:]
    private var ofAccounts: [Int64: Row] = [:]

    private struct Row: Sendable {
        /// Nil: the texts are erased, and the commitments are left.
        let salt: [UInt8]?
        let commitments: [ChainText.Field: [UInt8]]

        func text(_ text: ChainText, _ field: ChainText.Field) -> ChainText {
            if let salt, case .plain(let plain) = text { return .salted(plain, salt: salt) }
            return commitments[field].map { .erased(commitment: $0) } ?? text
        }
    }

    /// Puts what there is in place of the plain texts.
    func apply(to entry: inout ChainEntry) {
        if let row = ofEntries[entry.position.entryID] {
            if !entry.referenceIsOfRow { entry.reference = row.text(entry.reference, .reference) }
            entry.reason = entry.reason.map { row.text($0, .reason) }
        }
        for place in entry.postings.indices {
            guard let row = ofAccounts[entry.postings[place].accountID] else { continue }
            entry.postings[place].code = entry.postings[place].code.map { row.text($0, .account) }
        }
    }
}

extension ChainEntry {
    /// Whether all that the reference names is a row, such as `lot:7`.
    ///
    /// What a spend refers to is its caller's text.
    var referenceIsOfRow: Bool {
        guard kind != EntryKind.spend.rawValue, let text = reference.text,
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        let number = text.utf8[colon...].dropFirst()
        return !["user", "provider", "merge"].contains(text[..<colon]) && !number.isEmpty
            && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    fileprivate var lacksSalt: Bool {
        if case .plain = reference, !referenceIsOfRow { return true }
        if case .plain = reason { return true }
        return false
    }
}

extension ChainEntry.Posting {
    fileprivate var lacksSalt: Bool {
        if case .plain = code { return classification.isOfUsers }
        return false
    }
}

extension AccountClass {
    /// Whether the accounts are users' or providers', so that their codes have an id.
    var isOfUsers: Bool {
        ["debt", "earnings", "payable"].contains(name) || name.hasPrefix("wallet:") || name.hasPrefix("held:")
    }
}

// MARK: - SQL

extension ChainSalts {
    /// The salts of entries that have them, and of their accounts.
    static func read(of entries: [ChainEntry], on connection: PostgresConnection) async throws -> ChainSalts {
        var salts = ChainSalts()
        let accounts = Set(entries.flatMap { $0.postings.map(\.accountID) })
        let (ofEntries, ofAccounts) = try await connection.pipeline(
            Self.ofEntries(
                "SELECT \(columnsOfEntry) FROM entry_salt WHERE entry_id = ANY ($1)", entries.map(\.position.entryID)),
            Self.ofAccounts(
                "SELECT \(columnsOfAccount) FROM account_salt WHERE account_id = ANY ($1)", accounts.sorted()))
        salts.ofEntries = Dictionary(uniqueKeysWithValues: ofEntries)
        salts.ofAccounts = Dictionary(uniqueKeysWithValues: ofAccounts)
        return salts
    }

    /// Draws the salts that these entries lack.
    ///
    /// The transaction has ``ChainLink/lock``, so nobody else draws them.
    static func draw(for entries: [ChainEntry], on connection: PostgresConnection) async throws -> ChainSalts {
        var salts = ChainSalts()
        let lacking = entries.filter(\.lacksSalt).map(\.position.entryID)
        let accounts = Set(entries.flatMap(\.postings).filter(\.lacksSalt).map(\.accountID))
        if !lacking.isEmpty {
            salts.ofEntries = Dictionary(
                uniqueKeysWithValues: try await connection.run(
                    ofEntries(
                        "INSERT INTO entry_salt (entry_id) SELECT unnest($1::int8[]) RETURNING \(columnsOfEntry)",
                        lacking)))
        }
        if !accounts.isEmpty {
            salts.ofAccounts = Dictionary(
                uniqueKeysWithValues: try await connection.run(
                    ofAccounts(
                        "INSERT INTO account_salt (account_id) SELECT unnest($1::int8[]) RETURNING \(columnsOfAccount)",
                        accounts.sorted())))
        }
        return salts
    }

    private static let columnsOfEntry = "entry_id, salt, reference, reason"
    private static let columnsOfAccount = "account_id, salt, code"

    private static func ofEntries(_ sql: String, _ ids: [Int64]) -> PostgresQuery<[(Int64, Row)]> {
        PostgresQuery(sql, [ids]) { row in
            (try row[0], try decode(row, [(2, .reference), (3, .reason)]))
        }
    }

    private static func ofAccounts(_ sql: String, _ ids: [Int64]) -> PostgresQuery<[(Int64, Row)]> {
        PostgresQuery(sql, [ids]) { row in (try row[0], try decode(row, [(2, .account)])) }
    }

    private static func decode(
        _ row: borrowing PostgresRow, _ fields: [(column: Int, field: ChainText.Field)]
    ) throws -> Row {
        var commitments: [ChainText.Field: [UInt8]] = [:]
        for (column, field) in fields {
            commitments[field] = try row.decode(column, as: PostgresBytes?.self)?.bytes
        }
        return Row(salt: try row.decode(1, as: PostgresBytes?.self)?.bytes, commitments: commitments)
    }
}

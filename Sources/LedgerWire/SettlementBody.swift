public import Foundation

/// The totals of rows of a settlement file.
public struct SettlementTotalsBody: Codable, Hashable, Sendable {
    /// The gross amount, in won; negative for a refund.
    public let gross: Int64
    /// The gateway's fee, in won.
    public let fee: Int64
    /// The tax on the fee, in won.
    public let tax: Int64
    /// The net amount that reached the bank, in won.
    public let net: Int64

    /// Creates it from its members.
    public init(
        gross: Int64, fee: Int64, tax: Int64, net: Int64
    ) {
        self.gross = gross
        self.fee = fee
        self.tax = tax
        self.net = net
    }
}

/// An imported settlement file.
public struct SettlementBody: Codable, Hashable, Sendable {
    /// The id of the settlement file.
    public let id: Member.ID
    /// The file's name.
    public let name: String
    /// The SHA-256 of the file, which identifies it.
    public let sha256: String
    /// Who imported it first.
    public let importedBy: String
    /// When it was imported first.
    public let importedAt: Date
    /// The number of lines of each status.
    ///
    /// - Further keys: `waiting`, `settled`, `unmatched`, `refused`, `dismissed`
    public let rows: [String: Int64]
    /// The totals of its settled lines.
    public let totals: SettlementTotalsBody

    private enum CodingKeys: String, CodingKey {
        case id, name, sha256, rows, totals
        case importedBy = "imported_by"
        case importedAt = "imported_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, name: String, sha256: String, importedBy: String, importedAt: Date, rows: [String: Int64],
        totals: SettlementTotalsBody
    ) {
        self.id = id
        self.name = name
        self.sha256 = sha256
        self.importedBy = importedBy
        self.importedAt = importedAt
        self.rows = rows
        self.totals = totals
    }
}

extension SettlementBody: ListedBody {
    /// `settlements`.
    public static let listName = "settlements"
}

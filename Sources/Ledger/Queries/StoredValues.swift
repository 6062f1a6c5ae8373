package import CivilTime
import Foundation
import Postgres

// Values of the domain that are one column.

extension UserID: PostgresRawRepresentable {}
extension LotKind: PostgresRawRepresentable {}
extension Side: PostgresRawRepresentable {}
extension VATRule: PostgresRawRepresentable {}
extension Dispute.Status: PostgresRawRepresentable {}
extension TopUp.Status: PostgresRawRepresentable {}
extension Campaign.Status: PostgresRawRepresentable {}
extension TopUpCharge.Status: PostgresRawRepresentable {}
extension Forgetting.Status: PostgresRawRepresentable {}

extension Coins: PostgresRepresentable {
    package var representation: Int64 { count }

    package static func represented(by number: Int64) -> Coins? { Coins(number) }
}

extension Price: PostgresRepresentable {
    package var representation: Int64 { amount }

    package static func represented(by number: Int64) -> Price? { Price(won: number) }
}

extension Currency: PostgresRepresentable {
    package var representation: String { code }

    package static func represented(by text: String) -> Currency? { Currency(code: text) }
}

extension Stripe: PostgresRepresentable {
    package var representation: Int64 { number }

    package static func represented(by number: Int64) -> Stripe? { Stripe(number: number) }
}

extension AccountCode: PostgresRepresentable {
    package var representation: String { rawValue }

    package static func represented(by text: String) -> AccountCode? { AccountCode(rawValue: text) }
}

extension CivilDate: PostgresRepresentable {
    /// Such as `2026-01-31`.
    package var representation: String { description }

    package static func represented(by text: String) -> CivilDate? { CivilDate(text) }
}

extension CivilMonth: PostgresRepresentable {
    /// Such as `2026-01`.
    package var representation: String { description }

    package static func represented(by text: String) -> CivilMonth? { CivilMonth(text) }
}

/// A value that is one column of JSON.
protocol StoredJSON: Codable, PostgresRepresentable where Representation == PostgresJSON {}

extension StoredJSON {
    var representation: PostgresJSON { PostgresJSON(encoding: self) }

    static func represented(by json: PostgresJSON) -> Self? {
        try? JSONDecoder().decode(Self.self, from: Data(json.text.utf8))
    }
}

extension BankAccount: StoredJSON {}
extension ReconciliationCounts: StoredJSON {}

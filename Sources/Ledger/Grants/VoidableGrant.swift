package import Postgres

/// A grant, and what of it can be voided: see ``VoidGrant``.
package struct VoidableGrant: Sendable, Equatable {
    /// The lot of the grant.
    package let lot: Lot
    /// The coins that can be voided: those in the wallet, unless their time is up.
    package let available: Int64
    /// The coins that were voided because somebody asked for it, and not because they came back later.
    package let voided: Int64

    /// Why these coins can't be voided; nil: they can.
    package func refusal(of coins: Int64) -> Refusal? { lot.refusal(ofVoiding: coins, of: available) }
}

extension VoidableGrant: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> VoidableGrant {
        try row.make(at: &column, VoidableGrant.init)
    }
}

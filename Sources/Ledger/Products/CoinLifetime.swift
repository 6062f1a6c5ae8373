import Postgres

/// How long coins can be used after their credit.
package enum CoinLifetime: Sendable, Hashable {
    case forever
    /// A number of days, from 1 to ``mostDays``.
    case days(Int64)

    package static let mostDays: Int64 = 36_500

    /// The lifetime as it is stored and sent: a number of days; 0: forever.
    ///
    /// - Returns: nil for other numbers than 0 to ``mostDays``.
    package init?(days: Int64) {
        switch days {
        case 0: self = .forever
        case 1...Self.mostDays: self = .days(days)
        default: return nil
        }
    }

    /// A number of days; 0: forever.
    package var days: Int64 {
        switch self {
        case .forever: 0
        case .days(let days): days
        }
    }
}

/// How long the coins of a product live.
package struct ProductLifetimes: Sendable, Hashable {
    /// The lifetime of paid coins; nil: the service's setting applies.
    package var paid: CoinLifetime?
    /// The lifetime of bonus coins; nil: the service's setting applies.
    package var bonus: CoinLifetime?

    package init(paid: CoinLifetime? = nil, bonus: CoinLifetime? = nil) {
        self.paid = paid
        self.bonus = bonus
    }
}

// MARK: - SQL

extension ProductLifetimes {
    /// From two columns: paid coins, bonus coins.
    init(_ row: borrowing PostgresRow, from column: Int) throws {
        self.init(
            paid: try row.decode(column, as: Int64?.self).flatMap(CoinLifetime.init(days:)),
            bonus: try row.decode(column + 1, as: Int64?.self).flatMap(CoinLifetime.init(days:)))
    }
}

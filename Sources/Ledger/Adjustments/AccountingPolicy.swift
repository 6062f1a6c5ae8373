package import CivilTime
package import Foundation

/// How something is accounted for from a month on, until a later policy of the same subject applies.
///
/// Without a policy, breakage is recognised at expiry, and bonus coins take no part of a purchase's won.
package struct AccountingPolicy: Sendable, Equatable, Identifiable {
    /// What a policy is about.
    package enum Subject: String, Sendable, Codable, CaseIterable {
        /// Paid coins that are expected to stay unused.
        case breakage
        /// The won of bonus coins that come with a purchase.
        case bonus
    }

    /// The method, with its figures.
    package enum Method: Sendable, Equatable {
        /// Breakage is recognised when coins expire, as every entry does.
        case atExpiry
        /// Breakage is recognised in proportion to the coins that are used (K-IFRS 1115, B46).
        ///
        /// - expected: of 1,000 paid coins, those that are expected to stay unused.
        /// - highlyProbable: of 1,000 paid coins, those that are highly probable to stay unused (paragraphs 56–58).
        case expectedPattern(expected: Int64, highlyProbable: Int64)
        /// Bonus coins have no part of a purchase's won, as in every entry.
        case none
        /// A purchase's won are allocated to its paid and bonus coins by their relative prices (K-IFRS 1115, B39–B43, 74).
        ///
        /// - bonusPrice: the price of a bonus coin, if that of a paid coin is 1,000.
        case relativePrice(bonusPrice: Int64)

        /// The subject of the method.
        package var subject: Subject {
            switch self {
            case .atExpiry, .expectedPattern: .breakage
            case .none, .relativePrice: .bonus
            }
        }

        /// Whether it asks for an adjustment at the end of each month.
        package var adjusts: Bool { self != .atExpiry && self != .none }

        /// The name of the method.
        package var name: String {
            switch self {
            case .atExpiry: "at_expiry"
            case .expectedPattern: "expected_pattern"
            case .none: "none"
            case .relativePrice: "relative_price"
            }
        }
    }

    package let id: Int64
    package let method: Method
    /// The first month to which it applies.
    package let month: CivilMonth
    /// The caller.
    package let setBy: String
    package let setAt: Date
}

extension AccountingPolicy.Method {
    /// The range of ``expectedPattern(expected:highlyProbable:)``'s `expected`.
    package static let expectedRange: ClosedRange<Int64> = 1...999
    /// The range of ``expectedPattern(expected:highlyProbable:)``'s `highlyProbable`.
    package static let highlyProbableRange: ClosedRange<Int64> = 0...999
    /// The range of ``relativePrice(bonusPrice:)``'s `bonusPrice`.
    package static let bonusPriceRange: ClosedRange<Int64> = 1...10_000

    /// The method with a name and its figures.
    ///
    /// - Returns: nil when no method has the name, or its figures are missing, out of range or another method's.
    package init?(
        _ name: String, expected: Int64? = nil, highlyProbable: Int64? = nil, bonusPrice: Int64? = nil
    ) {
        switch (name, expected, highlyProbable, bonusPrice) {
        case ("at_expiry", nil, nil, nil): self = .atExpiry
        case ("none", nil, nil, nil): self = .none
        case ("expected_pattern", let expected?, let probable, nil):
            let probable = probable ?? expected
            guard Self.expectedRange.contains(expected), Self.highlyProbableRange.contains(probable) else { return nil }
            self = .expectedPattern(expected: expected, highlyProbable: probable)
        case ("relative_price", nil, nil, let price):
            let price = price ?? 1000
            guard Self.bonusPriceRange.contains(price) else { return nil }
            self = .relativePrice(bonusPrice: price)
        default: return nil
        }
    }

    /// Of 1,000 paid coins, those that are expected to stay unused.
    package var expected: Int64? { if case .expectedPattern(let expected, _) = self { expected } else { nil } }

    /// Of 1,000 paid coins, those that are highly probable to stay unused.
    package var highlyProbable: Int64? { if case .expectedPattern(_, let share) = self { share } else { nil } }

    /// The price of a bonus coin, if that of a paid coin is 1,000.
    package var bonusPrice: Int64? { if case .relativePrice(let price) = self { price } else { nil } }
}

/// The policies that apply to a month; nil: none was set.
package struct PoliciesInForce: Sendable, Equatable {
    package let breakage: AccountingPolicy?
    package let bonus: AccountingPolicy?

    /// The policy of a subject.
    package subscript(subject: AccountingPolicy.Subject) -> AccountingPolicy? {
        subject == .breakage ? breakage : bonus
    }
}

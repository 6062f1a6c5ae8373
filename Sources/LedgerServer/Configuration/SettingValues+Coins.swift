import CivilTime
import Foundation
import Ledger

extension SettingValues {
    /// What VAT is booked of.
    var vatSettings: VATSettings {
        get throws(ConfigurationError) {
            let isBooked = try self[Settings.coins.vat]
            for setting in [Settings.coins.vatBreakage, Settings.coins.vatRefundFees] where try self[setting] {
                guard isBooked else { throw .conflict(setting.name, "\(setting.name) is set without vat") }
            }
            return VATSettings(
                isBooked: isBooked, taxesBreakage: try self[Settings.coins.vatBreakage],
                taxesRefundFees: try self[Settings.coins.vatRefundFees])
        }
    }
}

extension SettingValues {
    /// How the days of lots are counted.
    var coinDays: CoinDays.Setting {
        get throws(ConfigurationError) {
            let zone = try self[Settings.books.timeZone]
            return switch try self[Settings.coins.wholeDaysFrom] {
            case nil: .ofLedger(in: zone)
            case .never: .these(.exact)
            case .day(let day):
                .these(.whole(from: Date(timeIntervalSince1970: Double(zone.startOfDay(day))), in: zone))
            }
        }
    }
}

/// From when lots count whole days.
enum WholeDaysStart: Sendable, Equatable {
    case never
    /// A day, counted from 1970.
    case day(Int64)

    static let rule = "a date such as 2027-01-01, or never"

    init?(text: String) {
        guard text.lowercased() != "never" else {
            self = .never
            return
        }
        var reader = TimeReader(text)
        guard let day = reader.date(), reader.isAtEnd else { return nil }
        self = .day(day)
    }
}

extension PrepaidRules {
    init(_ values: SettingValues) throws(ConfigurationError) {
        self.init(
            outstandingLimit: Int64(try values[Settings.prepaid.outstandingLimit]),
            issuanceLimit: Int64(try values[Settings.prepaid.issuanceLimit]),
            safeguardPercent: Int64(try values[Settings.prepaid.safeguardPercent]),
            bonusWorth: Int64(try values[Settings.prepaid.bonusWorth]))
    }
}

extension HourlyLimits {
    init(_ values: SettingValues) throws(ConfigurationError) {
        self.init(
            liability: try values[Settings.alerts.hourlyLiability], bonus: try values[Settings.alerts.hourlyBonus],
            spends: try values[Settings.alerts.hourlySpends])
    }
}

extension LotOrdering {
    /// The format, for help and error messages.
    static let rule =
        "different terms of " + Term.allCases.map(\.rawValue).joined(separator: ", ") + ", separated by commas"

    /// The order by the terms of a text; nil if a term is unknown, repeated, or the opposite of another.
    static func parse(_ text: String) -> LotOrdering? {
        let names = text.commaSeparated
        let terms = names.compactMap(Term.init(rawValue:))
        let isContradictory =
            Set(terms).isSuperset(of: [.bonusFirst, .paidFirst])
            || Set(terms).isSuperset(of: [.oldestFirst, .newestFirst])
        return terms.isEmpty || terms.count != names.count || Set(terms).count != terms.count || isContradictory
            ? nil : LotOrdering(terms)
    }
}

import CivilTime
import Currencies
import FoundationEssentials
import WireFormats

/// The members of an object in Google's answers.
///
/// What is absent is nil: Google leaves out what is empty or zero. A member that is there and can't be used is an error,
/// because what is misread there is money or a refund.
struct PlayMembers {
    private let json: JSON

    init(_ json: JSON) {
        self.json = json
    }

    private func member(_ name: String) -> JSON? { json[name].flatMap { $0 == .null ? nil : $0 } }

    func text(_ name: String) throws(GatewayError) -> String? {
        guard let member = member(name) else { return nil }
        guard let text = member.text else { throw Self.unusable(name) }
        return text.isEmpty ? nil : text
    }

    func requiredText(_ name: String) throws(GatewayError) -> String {
        guard let text = try text(name) else { throw Self.unusable(name) }
        return text
    }

    func object(_ name: String) throws(GatewayError) -> PlayMembers? {
        guard let member = member(name) else { return nil }
        guard case .object = member else { throw Self.unusable(name) }
        return PlayMembers(member)
    }

    func objects(_ name: String) throws(GatewayError) -> [PlayMembers] {
        guard let member = member(name) else { return [] }
        guard let elements = member.elements else { throw Self.unusable(name) }
        return elements.map(PlayMembers.init)
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(GatewayError) -> Int64? {
        guard let member = member(name) else { return nil }
        guard let number = member.integer, range.contains(number) else { throw Self.unusable(name) }
        return number
    }

    /// A 64-bit integer, which Google writes as a text, and others as a number.
    func longInteger(_ name: String) throws(GatewayError) -> Int64? {
        guard let member = member(name) else { return nil }
        guard let number = member.integer ?? member.text.flatMap({ Int64($0) }) else { throw Self.unusable(name) }
        return number
    }

    /// A time such as `2026-11-27T01:02:03.123456789Z`.
    func time(_ name: String) throws(GatewayError) -> Date? {
        guard let text = try text(name) else { return nil }
        guard let time = RFC3339.date(from: text) else { throw Self.unusable(name) }
        return time
    }

    /// A Unix time in milliseconds, of the years 1970 to 9999.
    func milliseconds(_ name: String) throws(GatewayError) -> Date? {
        guard let time = try longInteger(name) else { return nil }
        guard (0...253_402_300_799_999).contains(time) else { throw Self.unusable(name) }
        return Date(timeIntervalSince1970: Double(time) / 1000)
    }

    func money(_ name: String) throws(GatewayError) -> PlayMoney? {
        guard let members = try object(name) else { return nil }
        let units = try members.longInteger("units") ?? 0
        let nanos = try members.integer("nanos", in: -999_999_999...999_999_999) ?? 0
        guard let currency = Currency.code(in: try members.requiredText("currencyCode")),
            units == 0 || nanos == 0 || (units < 0) == (nanos < 0)
        else { throw Self.unusable(name) }
        return PlayMoney(currency: currency, nanos: Int128(units) * 1_000_000_000 + Int128(nanos))
    }

    static func unusable(_ name: String) -> GatewayError {
        GatewayError(.unreadablePayment, httpStatus: 200, message: "\(name) is missing or can't be used")
    }
}

/// An amount of money as Google writes it, in billionths of the currency's unit.
package struct PlayMoney: Hashable, Sendable {
    /// ISO 4217 code, upper case, also one that is not known.
    package let currency: String
    let nanos: Int128

    /// In minor units, 0 of a currency that is not known; nil: a part of one, or too large.
    package var minorUnits: Int64? { GooglePlay.amounts.readPrice(String(nanos), inCode: currency) }

    /// In minor units, or in thousandths of the unit if the currency is not known; nil: as of these two.
    ///
    /// For the share that was given back.
    var countable: Int64? { Currency(currency) == nil ? thousandths : minorUnits }

    /// In thousandths of the currency's unit; nil: too large.
    package var thousandths: Int64? { Int64(exactly: nanos / 1_000_000) }
}

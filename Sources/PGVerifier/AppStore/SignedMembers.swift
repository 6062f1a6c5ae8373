import FoundationEssentials
import WireFormats

/// The members of a signed payload.
///
/// What is absent is nil. A member that is there and can't be used is an error, because what is misread there is money
/// or a refund; only texts that nothing depends on are read leniently.
struct SignedMembers {
    private let json: JSON

    init(_ json: JSON) {
        self.json = json
    }

    /// A text; nil: absent, empty or not a text.
    func text(_ name: String) -> String? {
        json[name]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    func requiredText(_ name: String) throws(SignedDataError) -> String {
        guard let text = text(name) else { throw unusable(name) }
        return text
    }

    func object(_ name: String) -> SignedMembers? {
        guard let member = json[name], case .object = member else { return nil }
        return SignedMembers(member)
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(SignedDataError) -> Int64? {
        guard let member = json[name], member != .null else { return nil }
        guard let number = member.integer, range.contains(number) else { throw unusable(name) }
        return number
    }

    /// A Unix time in milliseconds, of the years 1970 to 9999.
    func time(_ name: String) throws(SignedDataError) -> Date? {
        try integer(name, in: 0...253_402_300_799_999).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    func requiredTime(_ name: String) throws(SignedDataError) -> Date {
        guard let time = try time(name) else { throw unusable(name) }
        return time
    }

    func unusable(_ name: String) -> SignedDataError {
        SignedDataError(.malformed, "\(name) is missing or can't be used")
    }
}

package import Foundation

extension TimeZone {
    /// The accepted names, for error messages.
    package static let nameRule = "a region and city such as Asia/Seoul, or UTC"

    /// The time zone that a setting or a request names, for the process and for PostgreSQL.
    ///
    /// Both find `Asia/Seoul` in the time zone database. PostgreSQL reads other names its own way: `GMT+1`, which is `GMT+0100`
    /// here, is a hundred hours west of UTC there, as POSIX has it, and `IST` is what `timezone_abbreviations` says. A day would
    /// begin at two moments, so such names are refused.
    ///
    /// - Returns: nil when the name violates ``nameRule``, or no time zone has it.
    package init?(name: String) {
        // The one kind of offset that both read alike: Etc/GMT+9 is nine hours west of UTC.
        let place = name.hasPrefix("Etc/GMT") ? name.filter { !"+0123456789".contains($0) } : name
        guard name == "UTC" || name == "GMT" || name.utf8.contains(UInt8(ascii: "/")),
            place.utf8.allSatisfy(\.isOfPlace), let zone = TimeZone(identifier: name)
        else { return nil }
        self = zone
    }
}

extension UInt8 {
    /// Whether names of regions and cities have this character: digits are of offsets, and U+0000 would end the name.
    fileprivate var isOfPlace: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
            UInt8(ascii: "-"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

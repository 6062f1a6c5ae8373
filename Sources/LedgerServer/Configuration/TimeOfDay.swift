/// The time of a daily job, or `off`: `04:30`.
struct TimeOfDay: Sendable, Equatable {
    /// Nil: the job is off.
    let time: Time?

    struct Time: Sendable, Equatable {
        let hour: Int
        let minute: Int
    }

    /// Reads two digits, a colon and two digits, or `off`.
    init?(text: String) {
        if text.lowercased() == "off" {
            time = nil
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy(UInt8.isDigit) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        time = Time(hour: hour, minute: minute)
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

import CLibPQ
import Glibc

/// The options of a connection as libpq lists them.
enum ConnectionOptions {
    struct Option {
        let keyword: String
        /// What the connection string says.
        let value: String?
        /// What libpq was compiled to take when nobody says anything.
        let compiledDefault: String?
    }

    /// Copies a list of libpq's, which ends with an option without a keyword.
    static func read(_ list: UnsafeMutablePointer<PQconninfoOption>) -> [Option] {
        var options: [Option] = []
        var next = list
        while let keyword = next.pointee.keyword {
            options.append(
                Option(
                    keyword: String(cString: keyword),
                    value: next.pointee.val.map { String(cString: $0) },
                    compiledDefault: next.pointee.compiled.map { String(cString: $0) }))
            next += 1
        }
        return options
    }

    /// Gives every option a value, for libpq asks the environment about each that has none.
    ///
    /// A value may be empty in a keyword string and then counts as said; in the arrays of `PQconnectdbParams` an empty
    /// value counts as missing, which is why we connect by string. `service` alone must be left out: an empty one is
    /// looked up, and not found.
    static func complete(_ chosen: [String: String]) -> [(keyword: String, value: String)] {
        guard let list = PQconninfoParse("", nil) else { return [] }
        defer { PQconninfoFree(list) }
        return read(list).filter { $0.keyword != "service" }.map { option in
            let value = chosen[option.keyword] ?? ownDefault(option.keyword) ?? option.compiledDefault ?? ""
            return (keyword: option.keyword, value: value)
        }
    }

    /// Defaults where ours differ from libpq's, or libpq's can't be said by an empty value.
    private static func ownDefault(_ keyword: String) -> String? {
        switch keyword {
        case "user": operatingSystemUser()
        case "target_session_attrs": "read-write"
        case "gssencmode": "disable"
        // Where no file can be: an empty value would stand for ~/.pgpass.
        case "passfile": "/dev/null/none"
        case "keepalives": "1"
        case "keepalives_idle": "15"
        case "keepalives_interval": "5"
        case "keepalives_count": "3"
        default: nil
        }
    }

    /// The name that libpq takes for a user that nobody names.
    private static func operatingSystemUser() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard let start = buffer.baseAddress,
                getpwuid_r(geteuid(), &entry, start, buffer.count, &found) == 0, found != nil
            else { return nil }
            return entry.pw_name.map { String(cString: $0) }
        }
    }
}

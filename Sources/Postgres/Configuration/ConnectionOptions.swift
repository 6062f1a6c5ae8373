import CLibPQ
import Glibc

/// The options of a connection as libpq lists them.
enum ConnectionOptions {
    struct Option {
        let keyword: String
        /// The value in the connection string.
        let value: String?
        /// libpq's compiled default.
        let compiledDefault: String?
    }

    /// Copies libpq's list, which ends with an option without a keyword.
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

    /// Gives every option a value, because libpq reads missing ones from the environment.
    ///
    /// An empty value in a keyword string counts as set; in the arrays of `PQconnectdbParams` it counts as missing, so
    /// we connect with a string. Only `service` must be left out: libpq looks an empty one up and does not find it.
    static func complete(_ chosen: [String: String]) -> [(keyword: String, value: String)] {
        guard let list = PQconninfoParse("", nil) else { return [] }
        defer { PQconninfoFree(list) }
        return read(list).filter { $0.keyword != "service" }.map { option in
            let value = chosen[option.keyword] ?? ownDefault(option.keyword) ?? option.compiledDefault ?? ""
            return (keyword: option.keyword, value: value)
        }
    }

    /// Defaults that differ from libpq's, or that an empty value can't express.
    private static func ownDefault(_ keyword: String) -> String? {
        switch keyword {
        case "user": operatingSystemUser()
        case "target_session_attrs": "read-write"
        case "gssencmode": "disable"
        // A path without a file, because an empty value means ~/.pgpass.
        case "passfile": "/dev/null/none"
        case "keepalives": "1"
        case "keepalives_idle": "2"
        case "keepalives_interval": "1"
        case "keepalives_count": "2"
        default: nil
        }
    }

    /// libpq's default user name.
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

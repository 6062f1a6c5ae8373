import CivilTime
import FoundationEssentials
import LedgerWire
import Logging
import WireFormats

/// One log event.
///
/// It is always one line: line feeds in messages and values are escaped, so that nobody can forge events.
struct LogLine {
    let time: Date
    let level: Logger.Level
    let logger: String
    let message: String
    let metadata: Logger.Metadata

    /// The line in a format, with its line feed.
    func bytes(in format: LogFormat) -> [UInt8] {
        switch format {
        case .text: Array("\(heading)\(body)\n".utf8)
        case .json: json
        case .journal: Array("<\(level.journalPriority)>\(body)\n".utf8)
        }
    }

    /// `{"ts":…,"level":…,"msg":…,"logger":…}` and the metadata as further members.
    private var json: [UInt8] {
        var text = JSONWriter(reserving: 256)
        text.beginObject()
        text.name("ts")
        text.value(RFC3339.string(from: time))
        text.name("level")
        text.value(level.rawValue)
        text.name("msg")
        text.value(message)
        text.name("logger")
        text.value(logger)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            text.name(Self.ownMembers.contains(key) ? "metadata.\(key)" : key)
            text.value(value)
        }
        text.endObject()
        return text.bytes + [UInt8(ascii: "\n")]
    }

    /// Members that metadata must not repeat, because parsers treat repeated members differently.
    private static let ownMembers: Set = ["ts", "level", "msg", "logger"]

    /// `2024-03-01T01:20:00.000Z info    ` before the body.
    private var heading: String {
        let padding = String(repeating: " ", count: max(1, 9 - level.rawValue.utf8.count))
        return "\(RFC3339.string(from: time)) \(level.rawValue)\(padding)"
    }

    /// `ledgerd: message key=value key="two words"`.
    private var body: String {
        metadata.sorted { $0.key < $1.key }.reduce(into: "\(logger): \(Self.printable(message))") { line, pair in
            line += " \(Self.printable(pair.key))=\(Self.quotedIfNeeded(pair.value.description))"
        }
    }

    private static func quotedIfNeeded(_ value: String) -> String {
        let isBare = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 != 0x7F }
        return isBare ? value : "\"\(printable(value.replacing("\"", with: "\\\"")))\""
    }

    /// The text with escaped control characters.
    private static func printable(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.value < 0x20 || scalar.value == 0x7F {
                result += scalar.escaped(asASCII: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Logger.Level {
    /// The priority of syslog(3): 7 debug … 2 critical.
    fileprivate var journalPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ metadata: Logger.MetadataValue) {
        switch metadata {
        case .string(let string): value(string)
        case .stringConvertible(let number as any FixedWidthInteger): value(integer: number)
        case .stringConvertible(let bool as Bool): value(bool)
        case .stringConvertible(let number as Double): value(number)
        case .stringConvertible(let other): value(other.description)
        case .array(let elements):
            beginArray()
            for element in elements { value(element) }
            endArray()
        case .dictionary(let members):
            beginObject()
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                self.name(name)
                value(member)
            }
            endObject()
        }
    }

    private mutating func value(integer: any FixedWidthInteger) {
        if let exact = Int64(exactly: integer) {
            value(exact)
        } else {
            value(String(describing: integer))
        }
    }
}

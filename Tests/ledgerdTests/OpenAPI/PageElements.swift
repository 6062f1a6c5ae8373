/// The elements of a page that is well-formed as XML is: each is closed, each value is quoted, and no text is markup.
struct PageElements {
    struct Element {
        let name: String
        let attributes: [String: String]
    }

    private(set) var all: [Element] = []
    /// What stands in elements `code`, as HTML.
    private(set) var codes: Set<String> = []
    /// What is not well-formed, in words.
    private(set) var faults: [String] = []
    /// The names of the elements that are open, outermost first.
    private var open: [String] = []

    init(_ html: String) {
        let bytes = Array(html.trimmingPrefix("<!DOCTYPE html>\n").utf8)
        var index = 0
        var code = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"):
                let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1
                let tag = String(decoding: bytes[index + 1..<end], as: UTF8.self)
                read(tag: tag)
                if tag == "/code" { codes.insert(String(decoding: bytes[code..<index], as: UTF8.self)) }
                if tag == "code" || tag.hasPrefix("code ") { code = end + 1 }
                index = end
            case UInt8(ascii: "&"):
                let name = bytes[(index + 1)...].prefix(6).prefix { $0 != UInt8(ascii: ";") }
                let known = ["amp", "lt", "gt", "quot", "#39"].contains(String(decoding: name, as: UTF8.self))
                if !known { faults.append("an unknown entity at byte \(index)") }
            case UInt8(ascii: ">"): faults.append("a bare > at byte \(index)")
            default: break
            }
            index += 1
        }
        if !open.isEmpty { faults.append("\(open) are not closed") }
    }

    private mutating func read(tag: String) {
        if tag.hasPrefix("/") {
            let name = String(tag.dropFirst())
            if open.popLast() != name { faults.append("</\(name)> closes another element") }
            return
        }
        let isEmpty = tag.hasSuffix("/")
        var rest = (isEmpty ? tag.dropLast() : tag[...])
        let name = String(rest.prefix { $0 != " " && $0 != "\n" })
        rest = rest.dropFirst(name.count)
        var attributes: [String: String] = [:]
        while let start = rest.firstIndex(where: { $0 != " " && $0 != "\n" }) {
            rest = rest[start...]
            guard let sign = rest.firstRange(of: "=\"") else {
                faults.append("<\(tag)> has a value without quotes")
                break
            }
            let value = rest[sign.upperBound...].prefix { $0 != "\"" }
            let key = String(rest[..<sign.lowerBound])
            if attributes.updateValue(String(value), forKey: key) != nil { faults.append("<\(tag)> has \(key) twice") }
            guard value.endIndex < rest.endIndex else {
                faults.append("<\(tag)> has a value without an end")
                break
            }
            rest = rest[rest.index(after: value.endIndex)...]
        }
        all.append(Element(name: name, attributes: attributes))
        if !isEmpty { open.append(name) }
    }
}

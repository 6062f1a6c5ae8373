/// A form with a file, `multipart/form-data` (RFC 7578).
struct MultipartForm: Sendable {
    private(set) var fields: [String: String] = [:]
    private(set) var file: (name: String, bytes: [UInt8])?

    /// - Parameter type: the `Content-Type`, with its boundary.
    /// - Returns: nil for a body that is no such form, or that has a field twice.
    init?(_ body: [UInt8], type: String) {
        guard let boundary = Self.parameter("boundary", of: type), !boundary.isEmpty else { return nil }
        let parts = Self.split(body, by: Array("--\(boundary)".utf8))
        guard parts.count >= 2, parts.last?.starts(with: Array("--".utf8)) == true else { return nil }
        for part in parts.dropFirst().dropLast() {
            let pieces = Self.split(Array(part), by: Array("\r\n\r\n".utf8), most: 2)
            guard pieces.count == 2, let name = Self.parameter("name", of: String(decoding: pieces[0], as: UTF8.self))
            else { return nil }
            // A line break before the next boundary belongs to the boundary.
            let content = Array(pieces[1].dropLast(2))
            if let fileName = Self.parameter("filename", of: String(decoding: pieces[0], as: UTF8.self)) {
                file = (fileName, content)
            } else {
                guard let text = String(validating: content, as: UTF8.self) else { return nil }
                guard fields.updateValue(text, forKey: name) == nil else { return nil }
            }
        }
    }

    /// A parameter of a header, with or without quotes.
    private static func parameter(_ name: String, of header: String) -> String? {
        guard let start = header.firstRange(of: "; \(name)=") ?? header.firstRange(of: ";\(name)=") else { return nil }
        let rest = header[start.upperBound...]
        if rest.first == "\"" { return String(rest.dropFirst().prefix { $0 != "\"" }) }
        return String(rest.prefix { $0 != ";" && !$0.isNewline })
    }

    private static func split(_ bytes: [UInt8], by separator: [UInt8], most: Int = .max) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index + separator.count <= bytes.count, parts.count + 1 < most {
            if bytes[index] == separator[0], bytes[index..<index + separator.count].elementsEqual(separator) {
                parts.append(bytes[start..<index])
                index += separator.count
                start = index
            } else {
                index += 1
            }
        }
        return parts + [bytes[start...]]
    }
}

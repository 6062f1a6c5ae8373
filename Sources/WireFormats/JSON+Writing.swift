extension JSON {
    /// The value as JSON text, with members in alphabetical order.
    package var written: String {
        var json = JSONWriter()
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let flag): json.value(flag)
        case .number(let digits): json.value(digits: digits)
        case .string(let text): json.value(text)
        case .array(let elements):
            json.beginArray()
            for element in elements { element.write(to: &json) }
            json.endArray()
        case .object(let members):
            json.beginObject()
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                json.name(name)
                value.write(to: &json)
            }
            json.endObject()
        }
    }
}

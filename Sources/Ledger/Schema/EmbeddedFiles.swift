import CEmbedded

extension embedded_files {
    /// The files in the order of the list.
    var all: UnsafeBufferPointer<embedded_file> { UnsafeBufferPointer(start: first, count: count) }
}

extension embedded_file {
    /// The name without its extension.
    var title: String { String(String(cString: name).prefix { $0 != "." }) }

    var text: String { String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) }
}

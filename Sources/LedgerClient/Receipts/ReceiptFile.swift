import Foundation

/// Receipts in a file.
///
/// Each change writes a new file next to it and replaces it atomically.
struct ReceiptFile: Sendable {
    let url: URL

    /// A receipt and its user.
    struct Entry: Codable, Sendable {
        let user: String
        var receipt: ReceiptRequest
        let addedAt: Date

        func isOf(_ receipt: ReceiptRequest, _ user: String) -> Bool {
            self.user == user && self.receipt.isOfSamePayment(as: receipt)
        }
    }

    private struct Content: Codable {
        var version = 1
        let receipts: [Entry]
    }

    /// The content of the file; empty without a file.
    ///
    /// An unreadable file is renamed, so that it can be inspected.
    ///
    /// - Throws: Foundation's error if the file can't be read now, for example before a phone's first unlock.
    func read() throws -> (entries: [Entry], setAside: URL?) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch  where !FileManager.default.fileExists(atPath: url.path) {
            return ([], nil)
        }
        if let content = try? JSONDecoder().decode(Content.self, from: data), content.version == 1 {
            return (content.receipts, nil)
        }
        let aside = url.appendingPathExtension("unreadable-\(UUID().uuidString)")
        try FileManager.default.moveItem(at: url, to: aside)
        return ([], aside)
    }

    /// Writes receipts to the file.
    ///
    /// When it returns, they survive a crash of the process and the device.
    func write(_ entries: [Entry]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let new = url.appendingPathExtension("new")
        try encoder.encode(Content(receipts: entries)).write(to: new)
        let file = try FileHandle(forUpdating: new)
        defer { try? file.close() }
        try Self.synchronize(file.fileDescriptor)
        try Self.check(rename(new.path, url.path))
        try Self.synchronize(url.deletingLastPathComponent())
    }

    /// The new name is stored in the directory, which needs its own sync.
    private static func synchronize(_ directory: URL) throws {
        let descriptor = open(directory.path, O_RDONLY)
        try check(descriptor)
        defer { close(descriptor) }
        try synchronize(descriptor)
    }

    private static func synchronize(_ descriptor: Int32) throws {
        #if canImport(Darwin)
        // On Apple systems, fsync leaves the data in the drive's cache, which a power loss empties (fsync(2)).
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try check(fsync(descriptor))
    }

    private static func check(_ result: Int32) throws {
        if result < 0 { throw CocoaError(.fileWriteUnknown, userInfo: ["errno": errno]) }
    }
}

import Foundation

/// Receipts in a file that is whole at every moment: a new one is written beside it and takes its place.
struct ReceiptFile: Sendable {
    let url: URL

    /// A receipt and who paid.
    struct Entry: Codable, Sendable {
        let user: String
        let receipt: ReceiptRequest
        let addedAt: Date

        func isOf(_ receipt: ReceiptRequest, _ user: String) -> Bool { self.receipt == receipt && self.user == user }
    }

    private struct Content: Codable {
        var version = 1
        let receipts: [Entry]
    }

    /// What the file holds, nothing if there is none.
    ///
    /// One that can't be understood is put aside under a name of its own, for whoever is to look into it.
    ///
    /// - Throws: Foundation's error when there is a file that can't be read now, as before a phone's first unlock.
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

    /// Puts receipts into the file; when it returns they outlive the process and the machine.
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

    /// A new name of a file is in its directory, which is written on its own.
    private static func synchronize(_ directory: URL) throws {
        let descriptor = open(directory.path, O_RDONLY)
        try check(descriptor)
        defer { close(descriptor) }
        try synchronize(descriptor)
    }

    private static func synchronize(_ descriptor: Int32) throws {
        #if canImport(Darwin)
        // There fsync leaves the data in the drive's cache, which a flat battery empties (fsync(2)).
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try check(fsync(descriptor))
    }

    private static func check(_ result: Int32) throws {
        if result < 0 { throw CocoaError(.fileWriteUnknown, userInfo: ["errno": errno]) }
    }
}

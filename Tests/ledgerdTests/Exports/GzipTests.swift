import Foundation
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct GzipTests {
    /// Read back by the gzip that everybody has.
    @Test(arguments: [[], [0], [70_000], [1, 2, 3, 64 << 10, 0, 5], [3_000_000]])
    func `what is compressed part by part comes back whole`(sizes: [Int]) throws {
        var random = SplitMix64(seed: Effort.seed)
        let gzip = Gzip()
        var bytes: [UInt8] = []
        var compressed: [UInt8] = []
        for size in sizes {
            // Half noise, half repetition.
            let part = (0..<size).map { $0 % 2 == 0 ? UInt8.random(in: 0...255, using: &random) : 65 }
            bytes += part
            compressed += gzip.compress(part)
        }
        compressed += gzip.finish()
        let file = FileManager.default.temporaryDirectory.appending(path: "ledgerd-\(UUID().uuidString).gz")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(compressed).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", file.path]
        process.standardOutput = output
        try process.run()
        let back = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(Array(back) == bytes)
    }
}

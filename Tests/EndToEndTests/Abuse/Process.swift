import EndToEndSupport
import Foundation
import TestSupport

extension ChildProcess {
    /// How many sockets it has open.
    var sockets: Int {
        let directory = "/proc/\(pid)/fd"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return files.count { file in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(file)"))?
                .hasPrefix("socket:") == true
        }
    }

    /// Its memory in MiB.
    var memory: Int {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        return status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) }.map { $0 / 1024 } ?? 0
    }
}

extension Service {
    /// A number of `/metrics`, by its series.
    func metric(_ series: String) async throws -> Double? {
        let text = try await get("/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
        return line.flatMap { Double($0.dropFirst(series.count + 1)) }
    }
}

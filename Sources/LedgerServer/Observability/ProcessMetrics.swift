import Foundation
import Glibc
import Metrics
import Synchronization

/// What every process tells Prometheus of itself, under the names of Prometheus' own client libraries, read from the
/// kernel at each scrape.
final class ProcessMetrics: Sendable {
    private let cpu: FloatingPointCounter
    private let residentMemory: Meter
    private let virtualMemory: Meter
    private let openFiles: Meter
    private let maxFiles: Meter
    private let counted = Mutex(0.0)

    /// - Parameter factory: where the numbers go; by default where the whole process's go.
    init(factory: any MetricsFactory = MetricsSystem.factory) {
        cpu = FloatingPointCounter(label: "process_cpu_seconds_total", factory: factory)
        residentMemory = Meter(label: "process_resident_memory_bytes", factory: factory)
        virtualMemory = Meter(label: "process_virtual_memory_bytes", factory: factory)
        openFiles = Meter(label: "process_open_fds", factory: factory)
        maxFiles = Meter(label: "process_max_fds", factory: factory)
        if let start = Self.startTime { Meter(label: "process_start_time_seconds", factory: factory).set(start) }
    }

    /// Reads them anew.
    func collect() {
        let used = Self.cpuSeconds
        cpu.increment(
            by: counted.withLock { counted in
                defer { counted = max(counted, used) }
                return max(0, used - counted)
            })
        let pages = Self.text("/proc/self/statm").split(separator: " ").compactMap { Int64($0) }
        if pages.count > 1 {
            let size = Int64(sysconf(Int32(_SC_PAGESIZE)))
            virtualMemory.set(pages[0] * size)
            residentMemory.set(pages[1] * size)
        }
        // The directory itself is open while it is read.
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            openFiles.set(files.count - 1)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 { maxFiles.set(Double(limit.rlim_cur)) }
    }

    private static var cpuSeconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// When the process started, in seconds since 1970 (proc(5)): its start after the boot, and the boot.
    private static var startTime: Double? {
        // The second field is a name in parentheses, which can hold anything; the start is the 22nd.
        let fields = text("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        let boot = text("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 19, let ticks = Double(fields[19]), let boot = boot.flatMap({ Double($0.dropFirst(6)) })
        else { return nil }
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}

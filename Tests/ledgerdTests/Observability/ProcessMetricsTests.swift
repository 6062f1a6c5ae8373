import Foundation
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ProcessMetricsTests {
    private let metrics = PrometheusMetrics()

    @Test func `the metrics of a process are its time, memory, files and start`() throws {
        let process = ProcessMetrics(factory: metrics)
        process.collect()
        let before = try PrometheusParser(metrics.render())
        let memory = [UInt8](repeating: 1, count: 64 << 20)
        let files = try (0..<200).map { _ in try #require(FileHandle(forReadingAtPath: "/dev/null")) }
        var after = before
        func grown(_ name: String) -> Double { (after.value(name) ?? 0) - (before.value(name) ?? 0) }
        // Reading the metrics takes time too.
        for _ in 0..<10_000 where grown("process_cpu_seconds_total") <= 0.001 {
            process.collect()
            after = try PrometheusParser(metrics.render())
        }

        #expect(after.types["process_cpu_seconds_total"] == "counter")
        #expect(grown("process_cpu_seconds_total") > 0.001)
        #expect(memory.count == 64 << 20 && grown("process_resident_memory_bytes") > Double(32 << 20))
        #expect(files.count == 200 && grown("process_open_fds") > 100)
        #expect(after.value("process_virtual_memory_bytes") ?? 0 > after.value("process_resident_memory_bytes") ?? 0)
        #expect(after.value("process_max_fds") ?? 0 >= after.value("process_open_fds") ?? 0)
        let age = Date().timeIntervalSince1970 - (after.value("process_start_time_seconds") ?? 0)
        #expect(age > 0 && age < 24 * 3600)
    }

    @Test func `the time of a process only grows`() throws {
        let process = ProcessMetrics(factory: metrics)
        var last = 0.0
        for _ in 0..<100 {
            process.collect()
            let now = try PrometheusParser(metrics.render()).value("process_cpu_seconds_total") ?? -1
            #expect(now >= last)
            last = now
        }
    }
}

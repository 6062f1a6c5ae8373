import Foundation
import TestSupport
import Testing
import Tracing

@testable import Traces

@Suite(.timeLimit(.minutes(20))) struct ExportMetricsTests {
    private let metrics = [
        MetricSnapshot(
            name: "a_total", kind: .counter, description: "Acts.", unit: "s",
            series: [.init(labels: [("kind", "원")], value: .number(2.5))]),
        MetricSnapshot(
            name: "g", kind: .gauge, description: nil, unit: "By", series: [.init(labels: [], value: .number(-1))]),
        MetricSnapshot(
            name: "h_size", kind: .histogram, description: "Sizes.", unit: "B",
            series: [.init(labels: [], value: .distribution(bounds: [1, 2], counts: [1, 2, 3], sum: 9.25))]),
    ]

    private func body(at moment: Double) -> [UInt8] {
        ExportMetricsRequest.body(
            metrics, since: Date(timeIntervalSince1970: 1), at: Date(timeIntervalSince1970: moment),
            resource: ["service.name": "ledgerd"], version: "1.2")
    }

    @Test func `a counter, a gauge and a histogram are written as OpenTelemetry's own library writes them`() {
        let expected = """
            0a8a020a1b0a190a0c736572766963652e6e616d6512090a076c65646765726412ea010a0e0a076c
            6564676572641203312e3212450a07615f746f74616c1205416374732e1a01733a300a2a1100ca9a
            3b000000001900c39dd0000000002100000000000004403a0d0a046b696e6412050a03ec9b901002
            180112260a01671a0242792a1d0a1b1100ca9a3b000000001900c39dd00000000021000000000000
            f0bf12690a06685f73697a65120653697a65732e1a01424a540a501100ca9a3b000000001900c39d
            d0000000002106000000000000002900000000008022403218010000000000000002000000000000
            0003000000000000003a10000000000000f03f00000000000000401002
            """
        let hex = body(at: 3.5).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == expected.filter { $0 != "\n" })
    }

    @Test func `what is written can be read again`() throws {
        let read = try ExportedMetrics(body(at: 3.5))
        #expect(read.resource == ["service.name": "ledgerd"] && read.scope == "ledgerd 1.2")
        #expect(read.metrics.map(\.kind) == [.counter, .gauge, .histogram])
        #expect(read.value("a_total", ["kind": "원"]) == 2.5 && read.value("g") == -1)
        #expect(read.value("h_size_bucket", ["le": "2"]) == 3 && read.value("h_size_count") == 6)
    }

    @Test func `no value is from before the start, also when the clock was set back`() throws {
        let read = try ExportedMetrics(body(at: 0.5))
        #expect(read.metrics.flatMap(\.points).allSatisfy { $0.start == 1_000_000_000 && $0.end == $0.start })
    }
}

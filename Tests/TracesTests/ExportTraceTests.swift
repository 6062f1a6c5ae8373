import TestSupport
import Testing
import Tracing

@testable import Traces

/// `TraceTests` of the service has what is sent read by opentelemetry-proto; here are the parts that it does not reach.
@Suite(.timeLimit(.minutes(20))) struct ExportTraceTests {
    @Test func `numbers and texts of every length are written`() {
        var writer = ProtobufWriter()
        writer.field(1, varint: 150)
        writer.field(2, "testing")
        writer.field(3, fixed32: 1)
        writer.field(4, varint: UInt64.max)
        let text: [UInt8] = [0x12, 7] + Array("testing".utf8)
        let most: [UInt8] = [0x20] + Array(repeating: 0xff, count: 9) + [1]
        #expect(writer.bytes == [0x08, 0x96, 0x01] + text + [0x1d, 1, 0, 0, 0] + most)
    }

    @Test func `what a collector rejects is read from its answer`() {
        #expect(ExportResponse.rejected([]) == 0)
        // partial_success { rejected_spans: 7, error_message: "no" }
        #expect(ExportResponse.rejected([0x0a, 6, 0x08, 7, 0x12, 2, 0x6e, 0x6f]) == 7)
        #expect(ExportResponse.rejected([0x10, 1, 0x0a, 2, 0x08, 3]) == 3)
    }

    @Test func `an answer that can't be read rejects nothing, and ends nothing`() {
        var random = SplitMix64(seed: Effort.seed)
        for _ in 0..<Effort.count(2_000, upTo: 20_000) {
            let size = Int.random(in: 0..<24, using: &random)
            let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(ExportResponse.rejected(bytes) >= 0)
        }
        for bytes: [UInt8] in [[0x0a], [0x0a, 0xff], [0x0a, 200, 0x08], Array(repeating: 0xff, count: 30)] {
            #expect(ExportResponse.rejected(bytes) == 0)
        }
    }
}

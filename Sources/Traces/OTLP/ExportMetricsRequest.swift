package import Foundation
package import Tracing

/// The body of a request with metrics: `ExportMetricsServiceRequest` of OTLP 1, with the numbers of `metrics.proto`.
///
/// Counters and histograms are cumulative: each request has all since the start.
package enum ExportMetricsRequest {
    /// - Parameters:
    ///   - start: when the counters and histograms were zero.
    ///   - moment: when the metrics had these values.
    ///   - resource: what the process is.
    ///   - version: of the program.
    package static func body(
        _ metrics: [MetricSnapshot], since start: Date, at moment: Date, resource: SpanAttributes, version: String
    ) -> [UInt8] {
        let times = (start: start.nanoseconds, end: max(start, moment).nanoseconds)
        return ExportRequest.body(of: resource, version: version) { scope in
            for metric in metrics { scope.field(2) { $0.write(metric, times) } }
        }
    }
}

extension ProtobufWriter {
    fileprivate typealias Times = (start: UInt64, end: UInt64)

    fileprivate mutating func write(_ metric: MetricSnapshot, _ times: Times) {
        field(1, metric.name)
        if let description = metric.description { field(2, description) }
        field(3, metric.unit)
        switch metric.kind {
        case .gauge:
            field(5) { $0.points(metric.series, times) }
        case .counter:
            field(7) { sum in
                sum.points(metric.series, times)
                sum.field(2, varint: Self.cumulative)
                // It only grows.
                sum.field(3, varint: 1)
            }
        case .histogram:
            field(9) { histogram in
                histogram.points(metric.series, times)
                histogram.field(2, varint: Self.cumulative)
            }
        }
    }

    /// `AGGREGATION_TEMPORALITY_CUMULATIVE`.
    private static let cumulative: UInt64 = 2

    private mutating func points(_ series: [MetricSnapshot.Series], _ times: Times) {
        for one in series { field(1) { $0.write(one, times) } }
    }

    /// A `NumberDataPoint` or a `HistogramDataPoint`.
    private mutating func write(_ series: MetricSnapshot.Series, _ times: Times) {
        field(2, fixed64: times.start)
        field(3, fixed64: times.end)
        switch series.value {
        case .number(let value):
            field(4, fixed64: value.bitPattern)
            labels(7, series.labels)
        case .distribution(let bounds, let counts, let sum):
            field(4, fixed64: UInt64(counts.reduce(0, +)))
            field(5, fixed64: sum.bitPattern)
            field(6, packed: counts.map { UInt64($0) })
            field(7, packed: bounds.map(\.bitPattern))
            labels(9, series.labels)
        }
    }

    private mutating func labels(_ number: UInt64, _ labels: [(name: String, value: String)]) {
        for label in labels { attribute(number, label.name) { $0.field(1, label.value) } }
    }
}

extension Date {
    fileprivate var nanoseconds: UInt64 { UInt64(max(0, timeIntervalSince1970 * 1e9)) }
}

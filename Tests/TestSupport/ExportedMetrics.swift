/// What a request with metrics of OTLP has, read without the code that writes it.
package struct ExportedMetrics {
    /// The type of a metric; what is not cumulative, or a sum that can fall, is none of these.
    package enum Kind: String { case counter, gauge, histogram }

    /// A metric as it was sent.
    package struct Metric {
        package let name: String
        package let description: String
        package let unit: String
        package let kind: Kind
        package let points: [Point]
    }

    /// A value, with its times in nanoseconds since 1970.
    package struct Point {
        package let labels: [String: String]
        package let start: UInt64
        package let end: UInt64
        /// What Prometheus shows of it: the end of the name, a bucket's bound, the value.
        let shown: [(suffix: String, bound: String?, value: Double)]
    }

    /// A value as Prometheus has it, where a histogram is many.
    package struct Sample: Hashable {
        package let name: String
        package let labels: [String: String]
        package let value: Double

        package init(name: String, labels: [String: String], value: Double) {
            self.name = name
            self.labels = labels
            self.value = value
        }
    }

    package let resource: [String: String]
    /// Name and version.
    package let scope: String
    package let metrics: [Metric]

    /// What is not as the protocol has it.
    package struct Malformed: Error {}

    package init(_ body: some Collection<UInt8>) throws {
        let ofResource = try ProtobufMessage(body).one(1)
        resource = try ofResource.one(1).pairs(1)
        let ofScope = try ofResource.one(2)
        let named = try ofScope.one(1)
        scope = "\(named.text(1)) \(named.text(2))"
        metrics = try ofScope.messages(2).map { try Metric($0) }
    }

    /// What Prometheus would show of all that was sent.
    package var samples: Set<Sample> {
        var samples: Set<Sample> = []
        for metric in metrics {
            for point in metric.points {
                for shown in point.shown {
                    var labels = point.labels
                    labels["le"] = shown.bound
                    samples.insert(Sample(name: metric.name + shown.suffix, labels: labels, value: shown.value))
                }
            }
        }
        return samples
    }

    /// The value of a sample; nil when it was not sent.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }
}

extension ExportedMetrics.Metric {
    fileprivate init(_ message: ProtobufMessage) throws {
        name = message.text(1)
        description = message.text(2)
        unit = message.text(3)
        let cumulative: UInt64 = 2
        if let gauge = try message.messages(5).first {
            kind = .gauge
            points = try gauge.messages(1).map { try .init(number: $0) }
        } else if let sum = try message.messages(7).first, sum.number(2) == cumulative, sum.number(3) == 1 {
            kind = .counter
            points = try sum.messages(1).map { try .init(number: $0) }
        } else if let histogram = try message.messages(9).first, histogram.number(2) == cumulative {
            kind = .histogram
            points = try histogram.messages(1).map { try .init(distribution: $0) }
        } else {
            throw ExportedMetrics.Malformed()
        }
    }
}

extension ExportedMetrics.Point {
    fileprivate init(number: ProtobufMessage) throws {
        guard let value = number.number(4) else { throw ExportedMetrics.Malformed() }
        try self.init(number, labels: 7, [("", nil, Double(bitPattern: value))])
    }

    fileprivate init(distribution: ProtobufMessage) throws {
        guard let count = distribution.number(4), let sum = distribution.number(5) else {
            throw ExportedMetrics.Malformed()
        }
        let counts = try distribution.packed(6)
        let bounds = try distribution.packed(7).map { Self.text(Double(bitPattern: $0)) } + ["+Inf"]
        guard counts.count == bounds.count else { throw ExportedMetrics.Malformed() }
        var total: UInt64 = 0
        var shown: [(suffix: String, bound: String?, value: Double)] = []
        for (bound, count) in zip(bounds, counts) {
            total += count
            shown.append(("_bucket", bound, Double(total)))
        }
        guard total == count else { throw ExportedMetrics.Malformed() }
        shown += [("_sum", nil, Double(bitPattern: sum)), ("_count", nil, Double(count))]
        try self.init(distribution, labels: 9, shown)
    }

    private init(
        _ message: ProtobufMessage, labels number: UInt64, _ shown: [(suffix: String, bound: String?, value: Double)]
    ) throws {
        labels = try message.pairs(number)
        start = message.number(2) ?? 0
        end = message.number(3) ?? 0
        self.shown = shown
    }

    private static func text(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? "\(bound)" }
}

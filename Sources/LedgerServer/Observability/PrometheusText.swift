import Traces

/// The text format: names, labels, escapes, numbers, and the lines of metrics.
enum PrometheusText {
    /// A metric name, `[a-zA-Z_:][a-zA-Z0-9_:]*`; other characters become `_`.
    static func name(_ label: String) -> String {
        identifier(label) { $0 == UInt8(ascii: ":") }
    }

    /// Label values are short names; a longer value is a mistake and is shortened.
    private static let longestLabel = 128

    /// Valid labels, sorted by name, so that the order of dimensions does not matter.
    static func labels(_ dimensions: [(String, String)]) -> [(name: String, value: String)] {
        dimensions
            .map { (name: labelName($0.0), value: String($0.1.prefix(longestLabel))) }
            .sorted { $0.name < $1.name }
    }

    /// The labels as they are written, without braces.
    static func text(of labels: [(name: String, value: String)]) -> String {
        labels.map { "\($0.name)=\"\(escaped(label: $0.value))\"" }.joined(separator: ",")
    }

    /// Renames the label `le`, which histograms use for their buckets.
    private static func labelName(_ name: String) -> String {
        let valid = identifier(name) { _ in false }
        return valid == "le" ? "exported_le" : valid
    }

    private static func identifier(_ text: String, allowing isAllowed: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                byte
            default: isAllowed(byte) ? byte : UInt8(ascii: "_")
            }
        }
        if bytes.isEmpty || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[0]) {
            bytes.insert(UInt8(ascii: "_"), at: 0)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func escaped(label value: String) -> String {
        guard value.utf8.contains(where: escapedBytes.contains) else { return value }
        return value.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("\n", with: #"\n"#)
    }

    private static let escapedBytes = [UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "\n")]

    /// Quotes are not escaped in help texts.
    static func escaped(help text: String) -> String {
        text.replacing("\\", with: #"\\"#).replacing("\n", with: #"\n"#)
    }

    /// The text of a number; whole numbers have no `.0`, to save bytes.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? value.description
    }
}

// MARK: - Lines

extension PrometheusText {
    /// The lines of all metrics.
    static func text(of metrics: [MetricSnapshot]) -> String {
        var text = ""
        for metric in metrics { append(metric, to: &text) }
        return text
    }

    private static func append(_ metric: MetricSnapshot, to text: inout String) {
        if let description = metric.description {
            text += "# HELP \(metric.name) \(escaped(help: description))\n"
        }
        text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
        for series in metric.series {
            let labels = Self.text(of: series.labels)
            switch series.value {
            case .number(let value):
                appendSample(metric.name, labels, value, to: &text)
            case .distribution(let bounds, let counts, let sum):
                let total = appendBuckets(metric.name, labels, bounds, counts, to: &text)
                appendSample("\(metric.name)_sum", labels, sum, to: &text)
                appendSample("\(metric.name)_count", labels, Double(total), to: &text)
            }
        }
    }

    /// Writes the buckets, whose counts are cumulative here, and returns the number of all values.
    private static func appendBuckets(
        _ name: String, _ labels: String, _ bounds: [Double], _ counts: [Int], to text: inout String
    ) -> Int {
        let prefix = labels.isEmpty ? "" : labels + ","
        var total = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? number(bounds[index]) : "+Inf"
            appendSample("\(name)_bucket", "\(prefix)le=\"\(bound)\"", Double(total), to: &text)
        }
        return total
    }

    private static func appendSample(_ name: String, _ labels: String, _ value: Double, to text: inout String) {
        text += name
        if !labels.isEmpty { text += "{\(labels)}" }
        text += " \(number(value))\n"
    }
}

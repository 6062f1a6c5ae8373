/// A metric, with the values that its series had at one moment.
package struct MetricSnapshot: Sendable {
    /// The type of a metric.
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    /// The value of a series.
    package enum Value: Equatable, Sendable {
        /// Of a counter or a gauge.
        case number(Double)
        /// Of a histogram: the buckets' inclusive upper bounds, ascending, without infinity; one count per bound, and one
        /// for larger values; the sum of all values.
        case distribution(bounds: [Double], counts: [Int], sum: Double)
    }

    /// The value of one set of labels.
    package struct Series: Sendable {
        package let labels: [(name: String, value: String)]
        package let value: Value

        package init(labels: [(name: String, value: String)], value: Value) {
            self.labels = labels
            self.value = value
        }
    }

    package let name: String
    package let kind: Kind
    package let description: String?
    /// The unit as UCUM writes it; empty for a number of something.
    package let unit: String
    package let series: [Series]

    package init(name: String, kind: Kind, description: String?, unit: String, series: [Series]) {
        self.name = name
        self.kind = kind
        self.description = description
        self.unit = unit
        self.series = series
    }
}

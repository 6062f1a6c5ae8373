import Metrics
import Synchronization
import Traces

/// A series: the value of one set of labels.
protocol PrometheusSeries: AnyObject, Sendable {
    /// What it is now.
    var value: MetricSnapshot.Value { get }
}

/// A number that only grows.
///
/// It is a `Double`, as in Prometheus, which is exact up to 2⁵³.
final class PrometheusCounter: PrometheusSeries, CounterHandler, FloatingPointCounterHandler {
    private let number = Mutex(0.0)

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) {
        guard amount > 0 else { return }
        number.withLock { $0 += amount }
    }

    func reset() { number.withLock { $0 = 0 } }

    var value: MetricSnapshot.Value { .number(number.withLock { $0 }) }
}

/// A number that goes up and down.
final class PrometheusGauge: PrometheusSeries, MeterHandler, RecorderHandler {
    private let number = Mutex(0.0)

    func set(_ new: Int64) { set(Double(new)) }
    func set(_ new: Double) { number.withLock { $0 = new } }
    func increment(by amount: Double) { number.withLock { $0 += amount } }
    func decrement(by amount: Double) { number.withLock { $0 -= amount } }
    func record(_ new: Int64) { set(Double(new)) }
    func record(_ new: Double) { set(new) }

    var value: MetricSnapshot.Value { .number(number.withLock { $0 }) }
}

/// A distribution, counted in buckets.
final class PrometheusHistogram: PrometheusSeries, TimerHandler, RecorderHandler {
    private let bounds: [Double]
    private let state: Mutex<State>

    private struct State {
        /// One count per bound, and one for larger values.
        var counts: [Int]
        var sum = 0.0
    }

    /// - Parameter bounds: the buckets' inclusive upper bounds, ascending, without infinity.
    init(bounds: [Double]) {
        self.bounds = bounds
        self.state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var value: MetricSnapshot.Value {
        state.withLock { .distribution(bounds: bounds, counts: $0.counts, sum: $0.sum) }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }  // one NaN would make the sum NaN forever
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock {
            $0.counts[bucket] += 1
            $0.sum += value
        }
    }
}

/// The histogram buckets of a metric, by the unit at the end of its name.
struct PrometheusBuckets: Sendable {
    let bounds: @Sendable (_ name: String) -> [Double]

    func bounds(forName name: String) -> [Double] { bounds(name) }

    /// `_size` is a number of items (a batch, a page), `_bytes` is bytes, any other name is seconds.
    static let byUnit = PrometheusBuckets { name in
        if name.hasSuffix("_size") { return sizes }
        if name.hasSuffix("_bytes") { return bytes }
        return seconds
    }

    /// From half a millisecond (a commit on a fast disk) to ten seconds (the gateway's default timeout).
    static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// Powers of two up to 1,024, the largest batch.
    static let sizes: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
    static let bytes: [Double] = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 16_777_216]
}

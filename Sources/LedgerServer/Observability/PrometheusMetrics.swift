import Foundation
import Metrics
import Synchronization
import Timing
import Traces

/// A metrics backend with the Prometheus text format, version 0.0.4.
///
/// Counters are counters, meters and gauges are gauges, timers and recorders are histograms. The unit in a metric's
/// name selects the histogram's buckets (see ``PrometheusBuckets``). The same label and dimensions always give the same
/// series, so handlers can be created where they are used; frequent code should store them.
///
/// Callers must keep the number of label values small. The limit of series only protects the memory: above it, new
/// series are dropped and counted in `ledgerd_metrics_dropped_series_total`.
final class PrometheusMetrics: Sendable {
    /// The media type of ``render()``.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// When the counters and histograms were zero.
    let startedAt = Time.current.now
    private let seriesLimit: Int
    private let buckets: PrometheusBuckets
    private let descriptions: [String: String]
    private let state = Mutex(State())

    private struct State {
        var families: [String: Family] = [:]
        var seriesCount = 0
        var droppedSeries = 0
        var collectors: [@Sendable () -> Void] = []
    }

    private struct Family {
        let kind: MetricSnapshot.Kind
        /// By their labels as text.
        var series: [String: Labelled] = [:]
    }

    private struct Labelled {
        let labels: [(name: String, value: String)]
        let series: any PrometheusSeries
    }

    /// - Parameters:
    ///   - seriesLimit: the maximum number of series.
    ///   - descriptions: the `HELP` text by metric name.
    init(
        seriesLimit: Int = 2_000, buckets: PrometheusBuckets = .byUnit,
        descriptions: [String: String] = MetricDescriptions.all
    ) {
        self.seriesLimit = seriesLimit
        self.buckets = buckets
        self.descriptions = descriptions
    }

    /// Registers a closure that runs before each ``snapshot()``, to set gauges.
    ///
    /// It runs in the task that asks for the snapshot and must not block.
    func onScrape(_ collect: @escaping @Sendable () -> Void) {
        state.withLock { $0.collectors.append(collect) }
    }

    /// All series as text.
    func render() -> String { PrometheusText.text(of: snapshot()) }

    /// All metrics with the values of their series, sorted by name and labels.
    func snapshot() -> [MetricSnapshot] {
        for collect in state.withLock({ $0.collectors }) { collect() }
        let (families, dropped) = state.withLock { ($0.families, $0.droppedSeries) }
        let kept = families.sorted { $0.key < $1.key }.map { name, family in
            let series = family.series.sorted { $0.key < $1.key }.map(\.value)
            return snapshot(of: name, family.kind, series.map { .init(labels: $0.labels, value: $0.series.value) })
        }
        let ofDropped = MetricSnapshot.Series(labels: [], value: .number(Double(dropped)))
        return kept + [snapshot(of: Self.droppedSeriesName, .counter, [ofDropped])]
    }

    private func snapshot(
        of name: String, _ kind: MetricSnapshot.Kind, _ series: [MetricSnapshot.Series]
    ) -> MetricSnapshot {
        MetricSnapshot(
            name: name, kind: kind, description: descriptions[name], unit: MetricDescriptions.unit(of: name),
            series: series)
    }

    /// The sum of a metric's series with these labels: the value, or of a histogram the sum and the number of its values.
    func total(of name: String, with labels: [(String, String)]) -> (value: Double, count: Int) {
        let wanted = labels.map { PrometheusText.text(of: PrometheusText.labels([$0])) }
        let series = state.withLock { $0.families[name]?.series ?? [:] }
        return series.reduce((0, 0)) { sum, series in
            // A label's value has no quote that is not escaped, so no text within a value looks like a label.
            guard wanted.allSatisfy({ ",\(series.key),".contains(",\($0),") }) else { return sum }
            switch series.value.series.value {
            case .number(let value): return (sum.value + value, sum.count + 1)
            case .distribution(_, let counts, let total): return (sum.value + total, sum.count + counts.reduce(0, +))
            }
        }
    }

    private static let droppedSeriesName = "ledgerd_metrics_dropped_series_total"
}

extension PrometheusMetrics: MetricsFactory {
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, kind: .counter) { _ in PrometheusCounter() }
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        series(label, dimensions, kind: .counter) { _ in PrometheusCounter() }
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, kind: .gauge) { _ in PrometheusGauge() }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        // In swift-metrics, a gauge is a recorder that does not aggregate.
        guard aggregate else { return series(label, dimensions, kind: .gauge) { _ in PrometheusGauge() } }
        return series(label, dimensions, kind: .histogram) { PrometheusHistogram(bounds: $0) }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, kind: .histogram) { PrometheusHistogram(bounds: $0) }
    }

    // The series of a destroyed handler stays, because a counter that starts again at zero looks like a restart.
    func destroyCounter(_: any CounterHandler) {}
    func destroyFloatingPointCounter(_: any FloatingPointCounterHandler) {}
    func destroyMeter(_: any MeterHandler) {}
    func destroyRecorder(_: any RecorderHandler) {}
    func destroyTimer(_: any TimerHandler) {}

    /// The existing series, or a new one.
    ///
    /// Prometheus refuses a scrape with two types of one name. So a series of a second type is not rendered, and counts
    /// as dropped.
    private func series<Series: PrometheusSeries>(
        _ label: String, _ dimensions: [(String, String)], kind: MetricSnapshot.Kind, make: ([Double]) -> Series
    ) -> Series {
        let name = PrometheusText.name(label)
        let labels = PrometheusText.labels(dimensions)
        let key = PrometheusText.text(of: labels)
        return state.withLock { state in
            var family = state.families[name] ?? Family(kind: kind)
            if let kept = family.series[key]?.series as? Series { return kept }
            let new = make(buckets.bounds(forName: name))
            guard family.kind == kind, state.seriesCount < seriesLimit else {
                state.droppedSeries += 1
                return new
            }
            family.series[key] = Labelled(labels: labels, series: new)
            state.families[name] = family
            state.seriesCount += 1
            return new
        }
    }
}

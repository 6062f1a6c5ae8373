import Metrics
import Synchronization

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
        let kind: PrometheusKind
        var series: [String: any PrometheusSeries] = [:]
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

    /// Registers a closure that runs before each scrape, to set gauges.
    ///
    /// It runs in the task of the scrape and must not block.
    func onScrape(_ collect: @escaping @Sendable () -> Void) {
        state.withLock { $0.collectors.append(collect) }
    }

    /// All series as text.
    func render() -> String {
        for collect in state.withLock({ $0.collectors }) { collect() }
        let (families, dropped) = state.withLock { ($0.families, $0.droppedSeries) }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            appendHeader(name: name, kind: family.kind, to: &text)
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.append(name: name, labels: labels, to: &text)
            }
        }
        appendHeader(name: Self.droppedSeriesName, kind: .counter, to: &text)
        text += "\(Self.droppedSeriesName) \(dropped)\n"
        return text
    }

    /// The sum of a metric's series with these labels: the value, or of a histogram the sum and the number of its values.
    func total(of name: String, with labels: [(String, String)]) -> (value: Double, count: Int) {
        let wanted = labels.map { PrometheusText.labels([$0]) }
        let series = state.withLock { $0.families[name]?.series ?? [:] }
        return series.reduce((0, 0)) { sum, series in
            // A label's value has no quote that is not escaped, so no text within a value looks like a label.
            guard wanted.allSatisfy({ ",\(series.key),".contains(",\($0),") }) else { return sum }
            let reading = series.value.reading
            return (sum.value + reading.value, sum.count + reading.count)
        }
    }

    private static let droppedSeriesName = "ledgerd_metrics_dropped_series_total"

    private func appendHeader(name: String, kind: PrometheusKind, to text: inout String) {
        if let description = descriptions[name] {
            text += "# HELP \(name) \(PrometheusText.escaped(help: description))\n"
        }
        text += "# TYPE \(name) \(kind.rawValue)\n"
    }
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
        _ label: String, _ dimensions: [(String, String)], kind: PrometheusKind, make: ([Double]) -> Series
    ) -> Series {
        let name = PrometheusText.name(label)
        let labels = PrometheusText.labels(dimensions)
        return state.withLock { state in
            var family = state.families[name] ?? Family(kind: kind)
            if let kept = family.series[labels] as? Series { return kept }
            let new = make(buckets.bounds(forName: name))
            guard family.kind == kind, state.seriesCount < seriesLimit else {
                state.droppedSeries += 1
                return new
            }
            family.series[labels] = new
            state.families[name] = family
            state.seriesCount += 1
            return new
        }
    }
}

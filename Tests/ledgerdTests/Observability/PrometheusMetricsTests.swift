import Metrics
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct PrometheusMetricsTests {
    let metrics = PrometheusMetrics(descriptions: ["a_total": "Counts \\ things\nof two lines."])

    @Test func `counters find the same series whatever the order of dimensions`() throws {
        Counter(label: "a_total", dimensions: [("x", "1"), ("y", "2")], factory: metrics).increment(by: 2)
        Counter(label: "a_total", dimensions: [("y", "2"), ("x", "1")], factory: metrics).increment()
        FloatingPointCounter(label: "f_total", factory: metrics).increment(by: 0.5)
        let scrape = try PrometheusParser(metrics.render())
        #expect(scrape.types["a_total"] == "counter")
        #expect(scrape.help["a_total"] == #"Counts \\ things\nof two lines."#)
        #expect(scrape.value("a_total", ["x": "1", "y": "2"]) == 3)
        #expect(scrape.value("f_total") == 0.5)
    }

    @Test func `gauges and meters stay as they were last set`() throws {
        Gauge(label: "g", factory: metrics).record(1.25)
        let meter = Meter(label: "m", factory: metrics)
        meter.set(5)
        meter.increment(by: 2)
        meter.decrement(by: 1)
        let scrape = try PrometheusParser(metrics.render())
        #expect(scrape.types["g"] == "gauge" && scrape.types["m"] == "gauge")
        #expect(scrape.value("g") == 1.25)
        #expect(scrape.value("m") == 6)
    }

    @Test func `timers count in cumulative buckets of seconds`() throws {
        let timer = Metrics.Timer(label: "t_seconds", dimensions: [("k", "v")], factory: metrics)
        timer.recordMilliseconds(3)
        timer.recordMilliseconds(30)
        timer.recordSeconds(60)
        let scrape = try PrometheusParser(metrics.render())
        #expect(scrape.types["t_seconds"] == "histogram")
        #expect(scrape.value("t_seconds_bucket", ["k": "v", "le": "0.0025"]) == 0)
        #expect(scrape.value("t_seconds_bucket", ["k": "v", "le": "0.005"]) == 1)
        #expect(scrape.value("t_seconds_bucket", ["k": "v", "le": "10"]) == 2)
        #expect(scrape.value("t_seconds_bucket", ["k": "v", "le": "+Inf"]) == 3)
        #expect(scrape.value("t_seconds_count", ["k": "v"]) == 3)
        #expect(abs((scrape.value("t_seconds_sum", ["k": "v"]) ?? 0) - 60.033) < 1e-9)
    }

    @Test func `sizes are measured in powers of two`() throws {
        let recorder = Recorder(label: "batch_size", factory: metrics)
        recorder.record(2)
        recorder.record(3)
        recorder.record(Double.nan)
        let scrape = try PrometheusParser(metrics.render())
        #expect(scrape.value("batch_size_bucket", ["le": "2"]) == 1)
        #expect(scrape.value("batch_size_bucket", ["le": "4"]) == 2)
        #expect(scrape.value("batch_size_count") == 2)
    }

    @Test func `every text survives as a label, and names are mended`() throws {
        let text = "a\"b\\c\nd,e}f=원"
        Counter(label: "odd.name-1", dimensions: [("le", text), ("9x", "")], factory: metrics).increment()
        let scrape = try PrometheusParser(metrics.render())
        #expect(scrape.value("odd_name_1", ["exported_le": text, "_9x": ""]) == 1)
    }

    @Test func `series over the limit are dropped and counted`() throws {
        let small = PrometheusMetrics(seriesLimit: 2)
        for user in 0..<5 {
            Counter(label: "users_total", dimensions: [("user", "\(user)")], factory: small).increment()
        }
        let scrape = try PrometheusParser(small.render())
        #expect(scrape.samples.filter { $0.name == "users_total" }.count == 2)
        #expect(scrape.value("ledgerd_metrics_dropped_series_total") == 3)
    }

    @Test func `one name never has two types`() throws {
        Counter(label: "same", factory: metrics).increment()
        Meter(label: "same", factory: metrics).set(7)
        let scrape = try PrometheusParser(metrics.render())
        #expect(scrape.types["same"] == "counter")
        #expect(scrape.value("same") == 1)
    }

    @Test func `callbacks run before each scrape`() throws {
        let gauge = Meter(label: "depth", factory: metrics)
        metrics.onScrape { gauge.increment(by: 1) }
        _ = metrics.render()
        #expect(try PrometheusParser(metrics.render()).value("depth") == 2)
    }

    @Test func `nothing is lost when many tasks count at once`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { [metrics] in
                    for _ in 0..<1000 {
                        Counter(label: "c_total", dimensions: [("t", "\(task % 2)")], factory: metrics).increment()
                        Metrics.Timer(label: "d_seconds", factory: metrics).recordMilliseconds(1)
                    }
                }
            }
        }
        let scrape = try PrometheusParser(metrics.render())
        #expect(scrape.value("c_total", ["t": "0"]) == 4000)
        #expect(scrape.value("d_seconds_count") == 8000)
    }
}

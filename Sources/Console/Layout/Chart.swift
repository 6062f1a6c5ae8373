import CivilTime
import Ledger
import LedgerServer

/// A chart of the numbers of a period, drawn by the server as SVG: without script and without inline style.
///
/// Flows, such as sales, are bars; levels, such as a liability, are a line. The period before is a dashed line behind. Each
/// number has a text for a pointer, and the table beside the chart has the same numbers.
struct Chart: Sendable {
    enum Shape: Sendable { case bars, line }

    /// What the numbers count.
    enum Unit: Sendable { case won, coins, count }

    let title: String
    let shape: Shape
    let unit: Unit
    /// What each number is of, such as a day, in order.
    let names: [String]
    /// The same, shortened for the axis.
    let labels: [String]
    /// A number for each name.
    let values: [Int64]
    /// The numbers of the period before; empty: there is no comparison.
    var before: [Int64] = []

    /// The figure that stands for the period: the sum of a flow, or the last level.
    var figure: Int64 { Self.figure(of: values, shape) }

    private static func figure(of values: [Int64], _ shape: Shape) -> Int64 {
        switch shape {
        case .bars: values.reduce(0) { $0.addingReportingOverflow($1).partialValue }
        case .line: values.last ?? 0
        }
    }

    // MARK: - Scale

    /// A scale with round ticks that holds all numbers and zero.
    struct Scale: Equatable, Sendable {
        /// The ticks, ascending, at equal distances; the first is at most the lowest number, the last at least the highest.
        let ticks: [Int64]

        var low: Int64 { ticks.first ?? 0 }
        var high: Int64 { ticks.last ?? 1 }

        /// - Parameter most: the most steps between ticks.
        init(_ numbers: [Int64], most: Int64 = 4) {
            // Far beyond what books can hold; sums of ticks stay within an integer.
            let limit: Int64 = 1_000_000_000_000_000_000
            let high = min(max(numbers.max() ?? 0, 0), limit)
            let low = max(min(numbers.min() ?? 0, 0), -limit)
            var step = Self.step(atLeast: (high - low) / most + ((high - low) % most == 0 ? 0 : 1))
            var (first, last) = Self.ends(low, high, step)
            // Rounding both ends outwards can need a step more.
            while (last - first) / step > most {
                step = Self.step(atLeast: step + 1)
                (first, last) = Self.ends(low, high, step)
            }
            if first == last { last = first + step }
            ticks = Array(stride(from: first, through: last, by: Int(step)))
        }

        private static func ends(_ low: Int64, _ high: Int64, _ step: Int64) -> (Int64, Int64) {
            let first = low.flooredDivision(by: step).quotient * step
            let top = high.flooredDivision(by: step)
            return (first, (top.quotient + (top.remainder == 0 ? 0 : 1)) * step)
        }

        /// The lowest of 1, 2, 5, 10, 20, 50, … that is at least this.
        static func step(atLeast least: Int64) -> Int64 {
            var power: Int64 = 1
            while true {
                for factor: Int64 in [1, 2, 5] where factor * power >= least { return factor * power }
                guard power < 1_000_000_000_000_000_000 else { return power }
                power *= 10
            }
        }

        /// Where a number is between the lowest tick (0) and the highest one (1).
        func place(of number: Int64) -> Double {
            let span = Double(high) - Double(low)
            return span == 0 ? 0 : (Double(number) - Double(low)) / span
        }
    }

    /// The places that have a label below the chart: at most six, the first one among them, at equal distances.
    static func labelled(_ count: Int, most: Int = 6) -> [Int] {
        guard count > 0 else { return [] }
        let step = max(1, (count + most - 1) / most)
        return Array(stride(from: 0, to: count, by: step))
    }
}

// MARK: - Drawing

extension Chart {
    // The size of the drawing, in units of which the browser makes pixels.
    private static let width = 480.0
    private static let height = 200.0
    private static let (left, right, top, bottom) = (54.0, 8.0, 22.0, 24.0)

    private static var plotWidth: Double { width - left - right }
    private static var plotHeight: Double { height - top - bottom }

    /// The values of ``template(_:)``.
    func values(in language: Language) -> [String: Any] {
        let scale = Scale(values + before)
        let (first, last) = (names.first ?? "", names.last ?? "")
        var drawn: [String: Any] = [
            "title": title, "figure": text(figure), "range": "\(first) – \(last)",
            "unit": unitName(language),
            "ticks": scale.ticks.map { tick in
                let y = Self.y(scale.place(of: tick))
                return [
                    "y": Self.decimal(y), "textY": Self.decimal(y + 4), "text": Self.short(tick, language),
                    "isZero": tick == 0,
                ] as [String: Any]
            },
            "labels": Self.labelled(min(names.count, labels.count)).map { index in
                ["x": Self.decimal(x(index, at: 0.5)), "text": labels[index]]
            },
            "spots": names.indices.map { spot($0, scale, language) },
        ]
        drawn["label"] = "\(title), \(first) – \(last), \(text(figure))"
        if shape == .line { drawn["line"] = points(values, scale) }
        if !before.isEmpty {
            drawn["before"] = [
                "points": points(before, scale), "figure": text(Self.figure(of: before, shape)),
            ]
        }
        return drawn
    }

    /// A number: its bar, and the column that a pointer hits.
    private func spot(_ index: Int, _ scale: Scale, _ language: Language) -> [String: Any] {
        let value = index < values.count ? values[index] : 0
        var words = "\(names[index]): \(text(value))"
        if index < before.count {
            words += " (\(Texts.text("chartBefore", language)) \(text(before[index])))"
        }
        var spot: [String: Any] = [
            "text": words, "x": Self.decimal(x(index)), "width": Self.decimal(dayWidth), "top": Self.decimal(Self.top),
            "height": Self.decimal(Self.plotHeight),
        ]
        if shape == .bars {
            let zero = Self.y(scale.place(of: 0))
            let y = Self.y(scale.place(of: value))
            spot["bar"] = [
                "x": Self.decimal(x(index, at: 0.1)), "width": Self.decimal(max(dayWidth * 0.8, 0.5)),
                "y": Self.decimal(min(y, zero)), "height": Self.decimal(abs(zero - y)),
            ]
        }
        return spot
    }

    private var dayWidth: Double { Self.plotWidth / Double(max(names.count, 1)) }

    /// - Parameter part: of the width of a number.
    private func x(_ index: Int, at part: Double = 0) -> Double { Self.left + (Double(index) + part) * dayWidth }

    private static func y(_ place: Double) -> Double { top + (1 - place) * plotHeight }

    private func points(_ values: [Int64], _ scale: Scale) -> String {
        values.prefix(names.count).enumerated().map { index, value in
            "\(Self.decimal(x(index, at: 0.5))),\(Self.decimal(Self.y(scale.place(of: value))))"
        }.joined(separator: " ")
    }

    private func text(_ value: Int64) -> String {
        switch unit {
        case .won: Show.won(value)
        case .coins, .count: Show.number(value)
        }
    }

    private func unitName(_ language: Language) -> String {
        switch unit {
        case .won: "₩"
        case .coins: Texts.text("coins", language)
        case .count: ""
        }
    }

    /// A number as readers of the language shorten it: `1.5M`, `150만`.
    static func short(_ number: Int64, _ language: Language) -> String {
        let units: [(size: Int64, name: String)] =
            switch language {
            case .english: [(1_000_000_000_000, "T"), (1_000_000_000, "B"), (1_000_000, "M"), (1_000, "K")]
            case .korean: [(1_000_000_000_000, "조"), (100_000_000, "억"), (10_000, "만")]
            }
        guard let unit = units.first(where: { number.magnitude >= $0.size.magnitude }) else {
            return Show.number(number)
        }
        let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: unit.size.magnitude)
        let tenths = rest / (unit.size.magnitude / 10)
        let text = Show.number(Int64(whole)) + (tenths == 0 ? "" : ".\(tenths)")
        return Show.sign(of: number) + text + unit.name
    }

    private static func decimal(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1_000_000 else { return "0" }
        let tenths = Int64((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }
}

extension Chart {
    /// A chart of days, with a number for each.
    ///
    /// - Parameter before: the numbers of as many days before.
    init(title: String, shape: Shape, unit: Unit, days: [CivilDate], values: [Int64], before: [Int64]) {
        // Of one year, the axis needs no year.
        let shared = days.first?.year == days.last?.year ? 5 : 2
        self.init(
            title: title, shape: shape, unit: unit, names: days.map { $0.description },
            labels: days.map { String($0.description.dropFirst(shared)) }, values: values, before: before)
    }

    /// The part of a template that draws the charts in a list of the values.
    static func template(_ list: String) -> String {
        """
        <div class="charts">{{#\(list)}}<figure class="chart">
        <figcaption><span>{{title}}</span> <strong>{{figure}}</strong>
        {{#before}}<span class="quiet"><svg class="mark" viewBox="0 0 20 8" aria-hidden="true"><line x1="0" y1="4" x2="20" y2="4" class="before"/></svg>
        {{t.chartBefore}} {{figure}}</span>{{/before}}</figcaption>
        <svg viewBox="0 0 480 200" role="img" aria-label="{{label}}">
        {{#ticks}}<line x1="54" x2="472" y1="{{y}}" y2="{{y}}" class="{{#isZero}}zero{{/isZero}}{{^isZero}}tick{{/isZero}}"/>
        <text x="50" y="{{textY}}" text-anchor="end">{{text}}</text>{{/ticks}}
        <text x="50" y="12" text-anchor="end">{{unit}}</text>
        {{#labels}}<text x="{{x}}" y="194" text-anchor="middle">{{text}}</text>{{/labels}}
        {{#before}}<polyline points="{{points}}" class="before"/>{{/before}}
        {{#spots}}<g class="spot"><title>{{text}}</title><rect x="{{x}}" y="{{top}}" width="{{width}}" height="{{height}}" class="column"/>
        {{#bar}}<rect x="{{x}}" y="{{y}}" width="{{width}}" height="{{height}}" class="bar"/>{{/bar}}</g>
        {{/spots}}
        {{#line}}<polyline points="{{line}}" class="line"/>{{/line}}</svg></figure>
        {{/\(list)}}</div>
        """
    }

    /// The rules of charts in the style sheet.
    static let style = """

        .charts:has(.chart) { grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: var(--space-4); }
        .charts > .chart:only-child { max-width: 36rem; }
        .chart figcaption { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; }
        .charts .chart svg { height: auto; border: 0; fill: none; }
        .charts .chart svg.mark { display: inline-block; width: 1.25rem; height: .5rem; vertical-align: middle; }
        .chart text { fill: var(--quiet); font-size: 11px; font-variant-numeric: tabular-nums; }
        .chart line.tick { stroke: var(--line); }
        .chart line.zero { stroke: var(--control); }
        .chart .bar { fill: var(--act); fill-opacity: .8; }
        .chart .line { stroke: var(--act); stroke-width: 2; stroke-linejoin: round; pointer-events: none; }
        .chart .before { stroke: var(--quiet); stroke-width: 1.5; stroke-dasharray: 3 3; }
        .chart .column { fill: transparent; pointer-events: all; }
        .chart .spot:hover .column { fill: var(--line); opacity: .6; }
        @media (max-width: 40rem) { .chart text { font-size: 14px; } }

        """

    static let texts: [ConsoleText] = [.init("chartBefore", "period before", "이전 기간")]
}

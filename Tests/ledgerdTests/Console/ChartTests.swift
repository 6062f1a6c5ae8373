import CivilTime
import Testing

@testable import Console
@testable import LedgerServer

/// The scale and the drawing of charts.
@Suite(.timeLimit(.minutes(20))) struct ChartTests {
    @Test(arguments: [
        ([Int64](), [Int64(0), 1]),
        ([0], [0, 1]),
        ([3], [0, 1, 2, 3]),
        ([7, 2], [0, 2, 4, 6, 8]),
        ([1_000], [0, 500, 1_000]),
        ([999_999], [0, 500_000, 1_000_000]),
        ([-40, 100], [-50, 0, 50, 100]),
        ([-3], [-3, -2, -1, 0]),
    ])
    func `a scale has round ticks that hold every number and zero`(numbers: [Int64], ticks: [Int64]) {
        #expect(Chart.Scale(numbers).ticks == ticks)
    }

    @Test func `a scale of any numbers has at most five ticks, and holds them`() {
        for exponent in 0..<62 {
            for offset: Int64 in [-1, 0, 1] {
                let high = min((1 << Int64(exponent)) + offset, 1_000_000_000_000_000_000)
                for low in [0, -high / 3, -high] {
                    let scale = Chart.Scale([high, low])
                    #expect((2...5).contains(scale.ticks.count), "\(low)...\(high): \(scale.ticks)")
                    #expect(scale.low <= min(low, 0) && scale.high >= max(high, 0), "\(low)...\(high): \(scale.ticks)")
                    #expect(scale.ticks.contains(0))
                    #expect((0...1).contains(scale.place(of: low)) && (0...1).contains(scale.place(of: max(high, 0))))
                }
            }
        }
        #expect(Chart.Scale([.max, .min]).ticks.count <= 5)
    }

    @Test(arguments: [(0, [Int]()), (1, [0]), (7, [0, 2, 4, 6]), (30, [0, 5, 10, 15, 20, 25])])
    func `at most six days have a label`(count: Int, labelled: [Int]) {
        #expect(Chart.labelled(count) == labelled)
        #expect(Chart.labelled(365).count <= 6)
    }

    @Test(arguments: [
        (999, Language.english, "999"), (1_500, .english, "1.5K"), (-2_000_000, .english, "−2M"),
        (9_999, .korean, "9,999"),
        (15_000, .korean, "1.5만"), (1_500_000, .korean, "150만"), (200_000_000, .korean, "2억"), (0, .korean, "0"),
    ])
    func `ticks are short as readers of the language write them`(number: Int64, language: Language, text: String) {
        #expect(Chart.short(number, language) == text)
    }

    @Test func `a chart has axes, a text for each day and the period before, and no style of its own`() throws {
        let days = (0..<3).map { CivilDate(daysSince1970: 20_000 + $0) }
        let template = ConsoleTemplate(Chart.template("charts"))
        func drawn(_ shape: Chart.Shape) -> String {
            let chart = Chart(
                title: "<Sales>", shape: shape, unit: .won, days: days, values: [1000, 0, -500], before: [10, 20, 30])
            return template.render([
                "charts": [chart.values(in: .english)], "t": Texts.table(.english),
            ])
        }
        let bars = drawn(.bars)
        #expect(bars.components(separatedBy: "<title>").count == 4)
        #expect(bars.contains("<title>2024-10-04: ₩1,000 (period before ₩10)</title>"), "\(bars)")
        #expect(bars.components(separatedBy: "class=\"bar\"").count == 4 && !bars.contains("class=\"line\""))
        #expect(bars.contains("&lt;Sales&gt;") && bars.contains("₩500") && bars.contains("1K"), "\(bars)")
        #expect(bars.contains("10-04") && bars.contains("class=\"zero\""))
        #expect(!bars.contains("style=") && !bars.contains("nan") && !bars.contains("inf"))
        let line = drawn(.line)
        #expect(line.contains("class=\"line\"") && !line.contains("class=\"bar\""), "\(line)")
    }
}

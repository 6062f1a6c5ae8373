import Foundation
import Testing

@testable import Console

/// The names of columns in the cells of stacked tables.
@Suite(.timeLimit(.minutes(20))) struct TableLabelsTests {
    private func table(_ head: String, _ body: String) -> String {
        "<table class=\"wide stacked\"><thead>\(head)</thead><tbody>\(body)</tbody></table>"
    }

    /// The labels of the cells in a text, in their order.
    private func labels(_ text: String) -> [String] {
        TableLabels.added(to: text).matches(of: #/data-label="([^"]*)"/#).map { String($0.1) }
    }

    @Test func `a cell has the name of its column, and keeps what it has`() {
        let text = table(
            #"<tr><th scope="col">{{t.user}}</th><th scope="col" class="number"> merchant_uid\#n</th></tr>"#,
            #"{{#rows}}<tr{{#anchor}} id="{{anchor}}"{{/anchor}}><th scope="row">{{user}}</th>"#
                + #"<td class="number">{{id}}</td></tr>{{/rows}}"#)
        let labelled = TableLabels.added(to: text)
        #expect(labelled.contains(#"<th scope="row" data-label="{{t.user}}">{{user}}</th>"#))
        #expect(labelled.contains(#"<td class="number" data-label="merchant_uid">{{id}}</td>"#))
        #expect(labelled.replacing(#/ data-label="[^"]*"/#, with: "") == text)
        #expect(TableLabels.added(to: labelled) == labelled, "once is enough")
    }

    @Test func `other tables are left as they are`() {
        let plain = "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>"
        #expect(TableLabels.added(to: plain) == plain)
        #expect(TableLabels.added(to: "{{{content}}} a < b {{t.x}}") == "{{{content}}} a < b {{t.x}}")
        #expect(labels(table("<tr><th>A</th></tr>", "<tr><td>1</td></tr>") + plain) == ["A"])
    }

    @Test func `a column in a section has its cells in a section`() {
        let text = table(
            "<tr><th>A</th>{{#both}}<th>B</th>{{/both}}<th>C</th></tr>",
            "<tr><td></td>{{#both}}<td></td>{{/both}}<td></td></tr>")
        #expect(labels(text) == ["A", "B", "C"])
    }

    @Test func `the two sides of a section are one column, and a section within a cell is none`() {
        let head = "<tr><th>A</th><th>B</th><th>C</th></tr>"
        let sides = "<tr>{{#x}}<td>{{x}}</td>{{/x}}{{^x}}<td>–</td>{{/x}}<td></td><td></td></tr>"
        #expect(labels(table(head, sides)) == ["A", "A", "B", "C"])
        let within = "<tr><td>{{#x}}{{x}}{{/x}}</td><td>{{^x}}0{{/x}}</td><td></td></tr>"
        #expect(labels(table(head, within)) == ["A", "B", "C"])
    }

    @Test func `a cell over several columns has no label, and those behind it have theirs`() {
        let text = table(
            "<tr><th>A</th><th>B</th><th>C</th></tr>", #"<tr><th scope="row" colspan="2">Sum</th><td>3</td></tr>"#)
        #expect(labels(text) == ["C"])
        #expect(TableLabels.missing(in: text) == [])
    }

    @Test func `a heading below another is named with it`() {
        let text = table(
            #"<tr><th rowspan="2">Day</th><th colspan="2">Sales</th></tr><tr><th>won</th><th>coins</th></tr>"#,
            "<tr><td></td><td></td><td></td></tr>")
        #expect(labels(text) == ["Day", "Sales, won", "Sales, coins"])
    }

    @Test func `the tags of a heading are not in its name`() {
        let text = table(#"<tr><th><span class="hidden">{{t.acts}}</span></th></tr>"#, "<tr><td></td></tr>")
        #expect(labels(text) == ["{{t.acts}}"])
    }

    @Test func `a cell without a heading is reported`() {
        #expect(
            TableLabels.missing(in: table("<tr><th>A</th></tr>", "<tr><td>1</td><td id=\"x\">2</td></tr>")).count == 1)
        let nameless = TableLabels.missing(in: table("<tr><th></th></tr>", "<tr><td>1</td></tr>"))
        #expect(nameless == ["<td>", "a stacked table without headings"])
        #expect(TableLabels.missing(in: "<table class=\"stacked\"><tr><td>1</td></tr></table>").count == 2)
    }

    @Test func `a name in a label is escaped like every value`() {
        let template = ConsoleTemplate(table("<tr><th>{{t.a}}</th></tr>", "<tr><td>1</td></tr>"))
        #expect(template.render(["t": ["a": "\"><b>"]]).contains(#"data-label="&quot;&gt;&lt;b&gt;""#))
    }

    @Test func `each cell of each stacked table of the console has the name of its column`() throws {
        var tables = 0
        let files = try ConsoleSources.files()
        let pieces = ConsoleSources.pieces(of: files)
        for file in files {
            for template in file.templates(pieces) {
                tables += template.components(separatedBy: "<table class=\"stacked").count - 1
                let missing = TableLabels.missing(in: template)
                #expect(missing == [], "\(file.name): \(template.prefix(80))")
            }
        }
        #expect(tables > 25)
    }
}

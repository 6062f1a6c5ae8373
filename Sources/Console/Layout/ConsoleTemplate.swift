import Mustache

/// A template of the console.
///
/// Mustache escapes values, except in three braces, which only the layout uses. The cells of a `table.stacked` get the
/// names of their columns (`TableLabels`).
struct ConsoleTemplate: Sendable {
    /// The text, in which a test looks for the keys of texts.
    let text: String
    private let template: MustacheTemplate

    init(_ written: String) {
        text = TableLabels.added(to: written)
        do {
            template = try MustacheTemplate(string: text)
        } catch {
            preconditionFailure("invalid template: \(error)")
        }
    }

    func render(_ values: [String: Any]) -> String { template.render(values) }
}

/// The reference of the API: a page for each group of operations, and pages of what the groups share.
///
/// All of it is made from the OpenAPI document and the declared settings.
struct Reference: Sendable {
    /// A page, or what a page loads.
    struct File: Sendable {
        let type: String
        let text: String
    }

    let document: APIDocument
    let settings: [any SettingGroup]
    let places: ReferencePlaces
    /// The problems by their codes.
    let problems: [String: APIDocument.Example]
    /// The headers of every response, which are named once.
    let commonHeaders: [String]
    /// The operations that need a schema itself, by its name, in the document's order.
    let users: [String: [APIDocument.Operation]]

    init(_ document: APIDocument, settings: [any SettingGroup] = Settings.groups) {
        self.document = document
        self.settings = settings
        places = ReferencePlaces(document, settings: settings)
        problems = Dictionary(document.problems.map { ($0.name, $0) }) { first, _ in first }
        let answers = document.operations.flatMap(\.answers).map(\.headers)
        commonHeaders = answers.first?.filter { name in answers.allSatisfy { $0.contains(name) } } ?? []
        users = document.operations.reduce(into: [:]) { users, operation in
            for name in Set(operation.schemas.flatMap(\.references)) { users[name, default: []].append(operation) }
        }
    }

    /// What browsers may load: the reference's own files.
    ///
    /// Nothing in a page runs or has a style of its own.
    static let securityPolicy = """
        default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'
        """

    /// The name of the first page, which `/docs` itself is.
    static let first = ""

    /// All files by their names below `/docs`.
    var files: [String: File] {
        var files = [
            "reference.css": File(type: "text/css; charset=utf-8", text: Self.style),
            "reference.js": File(type: "text/javascript; charset=utf-8", text: Self.script),
            "search.json": File(type: "application/json; charset=utf-8", text: searchIndex.line),
        ]
        for (name, html) in pages { files[name] = File(type: "text/html; charset=utf-8", text: html) }
        return files
    }
}

/// Where the reference tells of what: the addresses of operations, bodies, codes, types of events and settings.
struct ReferencePlaces: Sendable {
    /// The pages that are no group's; no group has such a name.
    enum Shared: String, CaseIterable, Sendable {
        case eventTypes = "event-types"
        case errors
        case bodies
        case settings

        var title: String {
            switch self {
            case .eventTypes: "Event types"
            case .errors: "Errors"
            case .bodies: "Shared bodies"
            case .settings: "Settings"
            }
        }
    }

    /// By the ids of operations.
    let operations: [String: String]
    /// By the names of schemas.
    let schemas: [String: String]
    /// By what texts write as code: `POST /v1/orders`, `order_expired`, `order.expired`, `LEDGERD_LISTEN`.
    let names: [String: String]

    init(_ document: APIDocument, settings: [any SettingGroup]) {
        var operations: [String: String] = [:]
        var names: [String: String] = [:]
        var users: [String: Set<String>] = [:]
        for operation in document.operations {
            let page = Self.page(of: operation)
            operations[operation.id] = Self.address(page, operation.id)
            names["\(operation.method.uppercased()) \(operation.path)"] = Self.address(page, operation.id)
            for name in document.closure(of: operation.schemas) { users[name, default: []].insert(page) }
        }
        for problem in document.problems { names[problem.name] = Self.address(of: problem) }
        for type in document.eventTypes { names[type.name] = Self.address(of: type) }
        for setting in settings.flatMap(\.settings) { names[setting.variable] = Self.address(of: setting) }
        self.operations = operations
        self.names = names
        schemas = document.schemas.reduce(into: [:]) { schemas, schema in
            // What only one group needs is read with that group.
            let pages = users[schema.name] ?? []
            let page = pages.count == 1 ? pages.first : nil
            schemas[schema.name] = Self.address(page ?? Shared.bodies.rawValue, "schema-\(schema.name)")
        }
    }

    /// The name of the page with an operation.
    static func page(of operation: APIDocument.Operation) -> String { operation.tags.first.map(page(of:)) ?? "" }

    /// The name of a group's page.
    static func page(of tag: String) -> String { tag.replacing(" ", with: "-") }

    static func address(of problem: APIDocument.Example) -> String {
        address(Shared.errors.rawValue, "error-\(problem.name)")
    }

    static func address(of type: APIDocument.EventType) -> String {
        address(Shared.eventTypes.rawValue, "event-\(type.name)")
    }

    static func address(of setting: any SettingDeclaration) -> String {
        address(Shared.settings.rawValue, setting.variable)
    }

    static func address(_ page: String, _ anchor: String? = nil) -> String {
        "/docs" + (page == Reference.first ? "" : "/\(page)") + (anchor.map { "#\($0)" } ?? "")
    }

    /// Whether what is at this address stands on a page.
    static func isOn(_ page: String, _ address: String?) -> Bool {
        address?.hasPrefix(Self.address(page) + "#") == true
    }
}

extension APIDocument.Operation {
    /// The schemas of its parameters, bodies and responses.
    var schemas: [APIDocument.Schema] {
        parameters.map(\.schema) + (bodies + answers.flatMap(\.bodies)).map(\.schema)
    }
}

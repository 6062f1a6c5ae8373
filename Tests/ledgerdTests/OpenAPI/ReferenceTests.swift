import Testing

@testable import LedgerServer

/// The pages of the reference, which are made from the document and the settings.
@Suite(.timeLimit(.minutes(20))) struct ReferenceTests {
    private static let reference = Reference(.own)
    private static let pages = reference.pages
    private static let elements = pages.mapValues { PageElements($0) }
    /// The anchors of each page.
    private static let anchors = elements.mapValues { Set($0.all.compactMap { $0.attributes["id"] }) }

    /// The page at an address, and the anchor there.
    private static func place(_ address: String) -> (page: String, anchor: String?) {
        let parts = address.split(separator: "#", maxSplits: 1).map(String.init)
        let page = parts.first.map { $0.trimmingPrefix("/docs").trimmingPrefix("/") } ?? ""
        return (String(page), parts.count > 1 ? parts[1] : nil)
    }

    @Test func `each operation is on exactly one page, that of its group`() {
        let headings = Self.elements.mapValues { page in
            page.all.filter { $0.name == "h2" }.compactMap { $0.attributes["id"] }
        }
        for operation in APIDocument.own.operations {
            let having = headings.filter { $0.value.contains(operation.id) }.map(\.key)
            #expect(having == [ReferencePlaces.page(of: operation)], "\(operation.id)")
            #expect(operation.tags.count == 1, "\(operation.id)")
            #expect(
                having.first.flatMap { Self.elements[$0] }?.codes.contains(operation.path) == true, "\(operation.id)")
        }
        let heading = "<h2 id=\"makeOrder\"><a href=\"#makeOrder\">Create an order</a></h2>"
        #expect(Self.pages["shop"]?.contains(heading) == true)
    }

    @Test func `pages, and what they load, have different names`() {
        let groups = APIDocument.own.tags.map { ReferencePlaces.page(of: $0.name) }
        let names = groups + ReferencePlaces.Shared.allCases.map(\.rawValue) + [Reference.first]
        #expect(Set(names).count == names.count && Set(Self.pages.keys) == Set(names))
        #expect(Self.reference.files.count == names.count + 3)
        #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } })
    }

    @Test func `every body, code, type of event and setting has a place`() throws {
        func anchors(_ page: String) -> Set<String> { Self.anchors[page] ?? [] }
        for schema in APIDocument.own.schemas {
            let (page, anchor) = Self.place(try #require(Self.reference.places.schemas[schema.name]))
            #expect(anchor == "schema-\(schema.name)" && anchors(page).contains("schema-\(schema.name)"))
            let members = schema.properties.map { "schema-\(schema.name).\($0.name)" }
            #expect(anchors(page).isSuperset(of: members), "\(schema.name)")
        }
        let errors = anchors("errors")
        #expect(errors.isSuperset(of: APIDocument.own.problems.map { "error-\($0.name)" }))
        #expect(anchors("event-types").isSuperset(of: APIDocument.own.eventTypes.map { "event-\($0.name)" }))
        #expect(anchors("settings").isSuperset(of: Settings.all.map(\.variable)))
    }

    @Test func `the first page leads to everything that was once on one page`() {
        let entries = Self.elements[Reference.first]?.all.filter { $0.name == "a" } ?? []
        let places = entries.reduce(into: [String: String]()) { places, entry in
            if let id = entry.attributes["id"] { places[id] = entry.attributes["href"] }
        }
        for operation in APIDocument.own.operations {
            #expect(places[operation.id] == Self.reference.places.operations[operation.id])
        }
        for problem in APIDocument.own.problems {
            #expect(places["error-\(problem.name)"] == ReferencePlaces.address(of: problem))
        }
        for schema in APIDocument.own.schemas {
            #expect(places["schema-\(schema.name)"] == Self.reference.places.schemas[schema.name])
        }
    }

    @Test func `every link leads to a place, and no anchor is twice on a page`() {
        var links = 0
        for (name, page) in Self.elements {
            let own = Self.anchors[name] ?? []
            #expect(page.all.count { $0.attributes["id"] != nil } == own.count, "\(name)")
            for element in page.all {
                for attribute in ["aria-labelledby", "aria-describedby", "for"] {
                    guard let target = element.attributes[attribute] else { continue }
                    #expect(own.contains(target), "\(name): \(target)")
                }
                guard element.name == "a", let link = element.attributes["href"], link != "/openapi.json" else {
                    continue
                }
                let (target, anchor) = link.hasPrefix("#") ? (name, String(link.dropFirst())) : Self.place(link)
                #expect(link.hasPrefix("#") || link.hasPrefix("/docs"), "\(name): \(link)")
                let isThere = Self.anchors[target].map { anchors in anchor.map(anchors.contains) ?? true }
                #expect(isThere == true, "\(name): \(link)")
                links += 1
            }
        }
        #expect(links > 2_000)
    }

    @Test func `pages are well-formed, and have nothing inline or from elsewhere`() {
        for (name, html) in Self.pages {
            let page = Self.elements[name]
            #expect(page?.faults == [], "\(name)")
            for part in ["{{", "Optional("] { #expect(!html.contains(part), "\(name): \(part)") }
            for element in page?.all ?? [] {
                #expect(element.name != "style", "\(name)")
                let inline = element.attributes.keys.filter { $0 == "style" || $0.hasPrefix("on") }
                #expect(inline == [], "\(name): <\(element.name)>")
                let addresses = ["href", "src"].compactMap { element.attributes[$0] }
                #expect(
                    addresses.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("/") && !$0.hasPrefix("//") }, "\(name)")
            }
            let loaded = page?.all.compactMap { element in
                ["script", "link"].contains(element.name)
                    ? element.attributes["src"] ?? element.attributes["href"] : nil
            }
            #expect(loaded == ["/docs/reference.css", "/docs/reference.js"], "\(name)")
            #expect(html.contains("<script src=\"/docs/reference.js\" defer=\"defer\"></script>"), "\(name)")
        }
        for part in ["url(", "@import", "http"] { #expect(!Reference.style.contains(part), "\(part)") }
        for part in ["innerHTML", "eval(", "http"] { #expect(!Reference.script.contains(part), "\(part)") }
        #expect(!Reference.securityPolicy.contains("unsafe"))
    }

    @Test func `headings are in order, one of the first level on each page`() {
        for (name, page) in Self.elements {
            let levels = page.all.compactMap { $0.name.first == "h" ? Int($0.name.dropFirst()) : nil }
            #expect(levels.first == 1 && levels.count { $0 == 1 } == 1, "\(name)")
            #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }, "\(name)")
        }
    }

    @Test func `the search finds an operation by path, member and code, and all else by its name`() throws {
        let index = Self.reference.searchIndex.elements
        func found(_ word: String) -> [String] {
            index.filter { entry in
                ["code", "title", "words"].contains { entry[$0]?.text?.contains(word) == true }
            }.compactMap { $0["at"]?.text }
        }
        let spend = "/docs/acts#spend"
        for word in ["/v1/users/{user}/spends", "spend", "reference", "insufficient_coins", "Spend"] {
            #expect(found(word).contains(spend), "\(word)")
        }
        #expect(!found("merchant_uid_mismatch").contains(spend))
        #expect(found("merchant_uid_mismatch").contains("/docs/errors#error-merchant_uid_mismatch"))
        #expect(found("purchase.credited").contains("/docs/event-types#event-purchase.credited"))
        #expect(found("LEDGERD_LISTEN").contains("/docs/settings#LEDGERD_LISTEN"))
        #expect(found("--listen").contains("/docs/settings#LEDGERD_LISTEN"))
        let places = index.compactMap { $0["at"]?.text }
        #expect(Set(places).count == index.count && places.count == index.count)
        for address in places {
            let (page, anchor) = Self.place(address)
            #expect(anchor.map { Self.anchors[page]?.contains($0) } == true, "\(address)")
        }
    }

    @Test func `texts lead to the codes, events, operations and settings that they name`() {
        func link(_ address: String, _ text: String) -> String { "<a href=\"\(address)\"><code>\(text)</code></a>" }
        let reference = Self.reference
        #expect(reference.markup("a `b<c` `d") == "a <code>b&lt;c</code> `d")
        #expect(
            reference.markup("`order_expired`, `order.expired`")
                == link("/docs/errors#error-order_expired", "order_expired") + ", "
                + link("/docs/event-types#event-order.expired", "order.expired"))
        #expect(reference.markup("`POST /v1/orders`") == link("/docs/shop#makeOrder", "POST /v1/orders"))
        #expect(reference.markup("`LEDGERD_LISTEN`") == link("/docs/settings#LEDGERD_LISTEN", "LEDGERD_LISTEN"))
    }

    @Test func `a refusal has its code, what it means and what to do`() throws {
        let problem = try #require(APIDocument.own.problems.first { $0.name == "order_expired" })
        let advice = Self.reference.markup(try #require(problem.description))
        #expect(!advice.isEmpty && Self.pages["errors"]?.contains("<p>\(advice)</p>") == true)
        #expect(Self.pages["shop"]?.contains(advice) == true)
        // Who refuses with it.
        #expect(Self.pages["errors"]?.contains("<a href=\"/docs/shop#presentReceipt\">") == true)
        #expect(APIDocument.own.problems.allSatisfy { $0.description?.isEmpty == false })
    }

    // MARK: Examples

    @Test func `the pages show every example of a body`() {
        let all = Self.elements.values.reduce(into: Set<String>()) { $0.formUnion($1.codes) }
        var examples = 0
        func expect(_ code: String, _ name: String) {
            #expect(all.contains(code), "\(name)")
            examples += 1
        }
        for schema in APIDocument.own.schemas {
            for example in schema.examples { expect(Self.reference.code(example), schema.name) }
        }
        for problem in APIDocument.own.problems { expect(Self.reference.code(problem.value), problem.name) }
        for type in APIDocument.own.eventTypes { expect(Self.reference.code(type.example), type.name) }
        for operation in APIDocument.own.operations {
            for example in operation.answers.filter({ $0.codes.isEmpty }).flatMap(\.bodies).flatMap(\.examples) {
                expect(Self.reference.code(example.value), operation.id)
            }
            for sample in Self.reference.samples(of: operation) { expect(sample["code"] ?? "-", operation.id) }
        }
        #expect(examples > 270, "\(examples)")
    }

    @Test func `each operation has a request of each kind, and a response`() {
        for operation in APIDocument.own.operations {
            let titles = Self.reference.samples(of: operation).compactMap { $0["title"] }
            let requests = operation.bodies.flatMap(\.examples)
            #expect(titles.count { $0.hasPrefix("Request") } == max(1, requests.count), "\(operation.id): \(titles)")
            #expect(Set(titles).count == titles.count, "\(operation.id): \(titles)")
            let answered = operation.answers.filter { $0.status.hasPrefix("2") }.flatMap(\.bodies)
            let isFile = ["getOpenAPI", "getDocs", "getDocsPage"].contains(operation.id)
            #expect(isFile || answered.isEmpty || titles.contains { $0.hasPrefix("Response 2") }, "\(operation.id)")
        }
    }

    @Test func `a request that needs them has parameters, a token and a key`() throws {
        func request(_ id: String) throws -> String {
            let operation = try #require(APIDocument.own.operations.first { $0.id == id })
            return try #require(Self.reference.samples(of: operation).first?["code"])
        }
        #expect(
            try request("spend") == """
                curl &quot;$LEDGERD_URL/v1/users/ann/spends&quot; \\
                    -H &quot;Authorization: Bearer $SERVICE_TOKEN&quot; \\
                    -H &quot;Idempotency-Key: spend-1&quot; \\
                    -H &quot;Content-Type: application/json&quot; \\
                    -d '{&quot;coins&quot;: 30, &quot;reference&quot;: &quot;song:1&quot;}'
                """)
        #expect(try request("listStoreItems").contains("SesacKey: $APP_KEY"))
        #expect(try request("getReady") == "curl &quot;$LEDGERD_URL/health/ready&quot;")
        #expect(try request("importSettlement").contains("--url-query 'tax=부가세'"))
        for operation in APIDocument.own.operations {
            let commands = Self.reference.samples(of: operation).filter { $0["title"]?.hasPrefix("Req") == true }
            #expect(commands.allSatisfy { $0["code"]?.contains(/[{}]\w+[}]/) == false }, "\(operation.id)")
        }
    }
}

extension OpenAPIController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .file(
                "getOpenAPI", "/openapi.json", .anyone, .operation,
                "Get this document",
                answers: [
                    .json(
                        200,
                        .any(
                            "object", required: ["openapi", "info", "paths"], description: "An OpenAPI 3.1 document."),
                        "The document.")
                ],
                traits: [.ignoresUnknown, .withoutProblems])
        ) { $0.document },
        Route(
            .read(
                "getDocs", "/docs", .anyone, .operation,
                "Get the first page of the reference",
                answers: [.text("text/html", description: "The page.", headers: [.cacheControl])],
                traits: [.ignoresUnknown, .withoutProblems])
        ) { $0.firstPage },
        Route(
            .read(
                "getDocsPage", "/docs/{page}", .anyone, .operation,
                "Get a page of the reference",
                """
                A group of operations is a page, such as `shop`. `event-types`, `errors`, `bodies` and `settings` are what \
                groups share; `reference.css`, `reference.js` and `search.json` are what pages load.
                """,
                parameters: [.path("page", .text, "the name of the page", example: "shop")],
                answers: [
                    Operation.Answer(
                        200, "The page, or what pages load.",
                        [
                            .init(type: "text/html", schema: .any("string"), examples: []),
                            .init(type: "text/css", schema: .any("string"), examples: []),
                            .init(type: "text/javascript", schema: .any("string"), examples: []),
                            .init(type: "application/json", schema: .any("array"), examples: []),
                        ],
                        headers: [.cacheControl])
                ],
                refusals: [.notFound], traits: [.ignoresUnknown, .withoutProblems])
        ) { $0.page },
    ]

    static func make(with deps: Deps) throws -> Self? {
        OpenAPIController()
    }
}

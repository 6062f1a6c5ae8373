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
            .file(
                "getDocs", "/docs", .anyone, .operation,
                "Get this document as a page",
                answers: [.text("text/html", description: "The page.")],
                traits: [.ignoresUnknown, .withoutProblems])
        ) { $0.page },
    ]

    static func make(with deps: Deps) throws -> Self? {
        OpenAPIController()
    }
}

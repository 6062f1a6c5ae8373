import LedgerWire

extension SealsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listSeals", "/v1/seals", .financeRead, .finance,
                "List the seals of the books, newest first",
                parameters: [.from, .to],
                page: ListBody<SealBody>.self)
        ) { $0.list },
        Route(
            .read(
                "getSeal", "/v1/seals/{id}", .financeRead, .finance,
                "Get a seal as a file",
                """
                The file for `ledgerd doctor --seal`. It proves that the books still contain exactly the entries \
                that were sealed. Store it elsewhere.
                """,
                parameters: [.seal],
                answers: [.json(200, .named("SealFile"), "The file.", headers: [.contentDisposition])],
                refusals: [.notFound])
        ) { $0.seal },
    ]

    static func make(with deps: Deps) throws -> Self? {
        SealsController(ledger: deps.ledger, timeZone: deps.timeZone)
    }
}

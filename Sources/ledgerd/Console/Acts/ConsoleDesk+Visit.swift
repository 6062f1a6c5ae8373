import Hummingbird

extension ConsoleDesk {
    /// Does or proposes what a form asks for, and goes back with a notice.
    ///
    /// - Parameter path: the page to go back to; nil: the customer's.
    func perform(_ request: Request, _ visit: Visit, backTo path: String? = nil) async throws -> Response {
        let notice =
            switch try await perform(request, by: visit.person) {
            case .proposed: "noticeProposed"
            case .done: "notice_\(request.order.act.rawValue)"
            }
        return visit.redirect(to: path ?? CustomerPath.page(of: request.user), notice: notice)
    }
}

import Hummingbird
import Ledger
import PGVerifier
import WireFormats

/// Finds a customer by any name that support is told.
struct SearchPage: Sendable {
    let ledger: Ledger

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("search", needs: .read, search)
    }

    /// `GET /console/search`; with `?q=` it goes to the only customer found, or lists what was found.
    private func search(_ visit: Visit) async throws -> Response {
        guard let name = visit.query("q")?.trimmed, !name.isEmpty else {
            return Layout.page(visit, title: visit.text("searchTitle"), Self.template, ["isStart": true])
        }
        let found = try await ledger.search.find(name, gateways: Gateways.known.map { $0.name })
        let users = Set(found.map(\.user))
        if users.count == 1, let match = found.first {
            return visit.redirect(to: CustomerPath.page(of: match.user, at: match))
        }
        return Layout.page(
            visit, title: visit.text("searchTitle"), Self.template,
            [
                "name": name, "isEmpty": found.isEmpty,
                "list": found.isEmpty ? [] : [["matches": found.map { row($0, visit) }]],
            ])
    }

    private func row(_ match: SearchMatch, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "kind": visit.text("found_\(match.kind.rawValue)"), "user": match.user.rawValue,
            "path": CustomerPath.page(of: match.user, at: match), "id": match.id.map(String.init) ?? "",
            "merchantUID": match.merchantUID ?? "",
        ]
        row["time"] = visit.time(match.at)
        return row
    }

    static let template = ConsoleTemplate(
        """
        {{#isStart}}<p>{{t.searchHelp}}</p>
        <p class="quiet">{{t.searchKey}}</p>{{/isStart}}
        {{#isEmpty}}<p role="status">{{t.searchEmpty}} <code>{{name}}</code></p>
        <p class="quiet">{{t.searchExact}}</p>{{/isEmpty}}
        {{#list}}<p role="status">{{t.searchSeveral}}</p>
        <table class="stacked">
        <thead><tr><th scope="col">{{t.searchUser}}</th><th scope="col">{{t.searchKind}}</th>
        <th scope="col">{{t.searchID}}</th><th scope="col">merchant_uid</th><th scope="col">{{t.searchTime}}</th></tr></thead>
        <tbody>
        {{#matches}}<tr><th scope="row"><a href="{{path}}">{{user}}</a></th><td>{{kind}}</td><td>{{id}}</td>
        <td>{{merchantUID}}</td><td>{{#time}}<time datetime="{{value}}">{{text}}</time>{{/time}}</td></tr>
        {{/matches}}
        </tbody></table>{{/list}}
        """)

    static let texts: [ConsoleText] = [
        .init("searchTitle", "Search", "검색"),
        .init("searchButton", "Search", "검색"),
        .init("searchPlaceholder", "User, imp_uid, order, id", "사용자, imp_uid, 주문, 번호"),
        .init(
            "searchHelp",
            "Enter a user, an imp_uid, merchant_uid or payment_id, or the id of a purchase, refund, hold or order.",
            "사용자, imp_uid, merchant_uid, payment_id 또는 구매, 환불, 보류, 주문의 번호를 입력하세요."),
        .init("searchKey", "Press / to go to the search field.", "/ 키를 누르면 검색창으로 이동합니다."),
        .init("searchEmpty", "Nothing is named", "검색 결과가 없습니다:"),
        .init(
            "searchExact", "Names are compared exactly, with upper and lower case.",
            "이름은 대소문자까지 정확히 일치해야 합니다."),
        .init("searchSeveral", "Several customers have this name.", "이 이름에 해당하는 고객이 여러 명입니다."),
        .init("searchUser", "Customer", "고객"), .init("searchKind", "Found as", "종류"),
        .init("searchID", "Id", "번호"), .init("searchTime", "Time", "시각"),
        .init("found_user", "user", "사용자"), .init("found_purchase", "purchase", "구매"),
        .init("found_refund", "refund", "환불"), .init("found_hold", "hold", "보류"),
        .init("found_order", "order", "주문"), .init("found_receipt", "receipt", "결제 확인"),
    ]
}

/// Paths of a customer's pages.
enum CustomerPath {
    /// The customer's page, at what was found.
    static func page(of user: UserID, at match: SearchMatch? = nil) -> String {
        let path = "/console/customers/" + FormText.encode(user.rawValue)
        guard let match, let id = match.id else { return path }
        return path + "#\(match.kind.rawValue)-\(id)"
    }
}

extension String {
    /// Without spaces at both ends.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}

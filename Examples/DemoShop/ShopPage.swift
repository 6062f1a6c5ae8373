import Hummingbird
import LedgerClient
import Mustache

/// A page of the shop: the frame with the user's balance.
///
/// It works without scripts.
struct ShopPage {
    let title: String
    /// The signed-in user; nil: nobody.
    let user: String?
    var balance: BalanceBody?
    /// The other origin to which a form of the page leads.
    var forms: String?

    /// Renders a template into the frame; Mustache escapes every value.
    func response(
        _ template: MustacheTemplate, _ values: [String: Any], status: HTTPResponse.Status = .ok
    ) -> Response {
        var frame: [String: Any] = ["title": title, "content": template.render(values), "style": Self.style]
        frame["user"] = user
        frame["balance"] = balance.map { ["total": "\($0.total)", "available": "\($0.available)"] }
        let policy =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; "
            + "form-action 'self' \(forms ?? "")"
        return Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .xContentTypeOptions: "nosniff", .cacheControl: "no-store",
                .contentSecurityPolicy: policy,
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: Self.frame.render(frame))))
    }

    /// Parses a built-in template; an error is a bug.
    static func template(_ text: String) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: text)
        } catch {
            preconditionFailure("invalid template: \(error)")
        }
    }

    private static let frame = template(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{title}} · Coin shop</title>
        <style>{{{style}}}</style>
        </head>
        <body>
        <header>
        <a class="name" href="/">Coin shop</a>
        {{#user}}<nav aria-label="Pages"><a href="/history">History</a></nav>
        <form method="post" action="/sign-out"><span class="quiet">{{user}}</span> <button class="plain">Sign out</button></form>{{/user}}
        </header>
        <main>
        {{#balance}}<p class="balance"><span class="quiet">Your coins</span> <strong id="balance">{{total}}</strong></p>{{/balance}}
        <h1>{{title}}</h1>
        {{{content}}}
        </main>
        <footer>A demo: payments are simulated.</footer>
        </body>
        </html>

        """)

    /// Colors have a contrast of 4.5:1 and more in both modes (WCAG 2.2, 1.4.3).
    private static let style = """
        :root {
            color-scheme: light dark;
            --page: #fbfaf7; --card: #fff; --text: #1d1b16; --quiet: #625d52; --line: #e2ddd0; --coin: #8a5a00;
            --on-coin: #fff; --good: #e5f4e6; --bad: #fdeaea;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --page: #15140f; --card: #1f1d17; --text: #ece7da; --quiet: #aca592; --line: #37332a; --coin: #f0b84a;
                --on-coin: #1d1b16; --good: #1d3320; --bad: #3d2020;
            }
        }
        * { box-sizing: border-box; }
        body {
            margin: 0 auto; padding: 0 1rem 2rem; max-width: 44rem; background: var(--page); color: var(--text);
            font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
        }
        header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding: .75rem 0; }
        header form { margin-left: auto; }
        .name { font-weight: 700; text-decoration: none; }
        a { color: var(--coin); display: inline-block; padding: .25rem 0; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0 .75rem; }
        h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
        .quiet, footer { color: var(--quiet); font-size: .875rem; }
        footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: .75rem; }
        .balance {
            display: flex; justify-content: space-between; align-items: baseline; margin: 0; padding: .75rem 1rem;
            background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
        }
        .balance strong { font-size: 2rem; line-height: 1.2; color: var(--coin); font-variant-numeric: tabular-nums; }
        .cards { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
        .cards li, .card {
            display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between;
            padding: .75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
        }
        .card { display: block; margin: 1rem 0; } dl.card { display: grid; }
        .cards b { display: block; }
        .message { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .75rem; background: var(--good); }
        .message p { margin: 0 0 .5rem; }
        .message.bad { background: var(--bad); }
        fieldset { margin: .75rem 0 0; padding: .25rem 1rem .5rem; border: 1px solid var(--line); border-radius: .75rem; }
        legend { padding: 0 .25rem; } fieldset label { margin-right: 1.5rem; }
        label { display: inline-block; padding: .25rem 0; }
        input[type=radio] { width: 1.25rem; height: 1.25rem; vertical-align: -.25rem; accent-color: var(--coin); }
        input[type=text] { font: inherit; width: 100%; padding: .5rem .75rem; border: 1px solid var(--quiet);
            border-radius: .5rem; background: var(--card); color: inherit; }
        button, .button {
            font: inherit; font-weight: 600; min-height: 2.5rem; padding: .4rem 1rem; border: 0; border-radius: .5rem;
            background: var(--coin); color: var(--on-coin); cursor: pointer; text-decoration: none;
        }
        button.plain { background: none; color: var(--coin); border: 1px solid var(--line); min-height: 2rem; padding: .1rem .75rem; }
        :focus-visible { outline: 3px solid var(--coin); outline-offset: 2px; }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: left; padding: .5rem .5rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        dl { grid-template-columns: max-content 1fr; }
        dt { color: var(--quiet); } dd { margin: 0; }
        """
}

import Mustache

/// A template of the reference: the frame of all pages, or the content of one kind.
///
/// Mustache escapes values, except in three braces, which contain HTML.
struct ReferenceTemplates: Sendable {
    /// The text, whose names a test compares with the values.
    let text: String
    private let template: MustacheTemplate

    private init(_ text: String) {
        self.text = text
        do {
            template = try MustacheTemplate(string: text)
        } catch {
            preconditionFailure("invalid template: \(error)")
        }
    }

    func render(_ values: [String: Any]) -> String { template.render(values) }

    // MARK: The frame

    static let frame = ReferenceTemplates(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>{{title}}{{^isFirst}} · {{product}}{{/isFirst}}</title>
        <link rel="stylesheet" href="/docs/reference.css"/>
        <script src="/docs/reference.js" defer="defer"></script>
        </head>
        <body>
        <header class="contents">
        <a class="skip" href="#content">Skip to the content</a>
        <a class="home" href="/docs"{{#isFirst}} aria-current="page"{{/isFirst}}>{{product}}</a>
        <form id="search" role="search" hidden="hidden">
        <label for="find">Search</label>
        <input id="find" type="search" autocomplete="off" spellcheck="false" autocapitalize="off" \
        placeholder="path, member or code" aria-keyshortcuts="/" aria-describedby="status"/>
        <ul id="found" hidden="hidden"></ul>
        </form>
        <p id="status" role="status"></p>
        <nav aria-label="Contents">
        <ul>
        {{#groups}}
        <li><a href="{{address}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{name}}</a>
        {{#hasOperations}}
        <ul>
        {{#operations}}
        <li><a href="#{{anchor}}">{{summary}}</a></li>
        {{/operations}}
        </ul>
        {{/hasOperations}}
        </li>
        {{/groups}}
        {{#shared}}
        <li><a href="{{address}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{name}}</a></li>
        {{/shared}}
        </ul>
        </nav>
        </header>
        <main id="content" tabindex="-1">
        {{{content}}}
        </main>
        </body>
        </html>

        """)

    // MARK: The first page

    static let index = ReferenceTemplates(
        """
        <h1>{{title}}</h1>
        <p class="lede">{{summary}}</p>
        {{#introduction}}
        <p>{{{.}}}</p>
        {{/introduction}}
        {{#headers}}
        <p>Every response has the header <code>{{{.}}}</code>.</p>
        {{/headers}}
        <p>For programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1.</p>

        <section class="part" aria-labelledby="authentication">
        <h2 id="authentication"><a href="#authentication">Authentication</a></h2>
        <p>Each operation names who may call it.</p>
        <div class="scroll" tabindex="0" role="group" aria-label="Callers">
        <table>
        <thead><tr><th scope="col">Caller</th><th scope="col">Header</th><th scope="col">Description</th></tr></thead>
        <tbody>
        {{#callers}}
        <tr><th scope="row" id="caller-{{name}}">{{name}}</th><td><code>{{header}}</code></td><td>{{{description}}}</td></tr>
        {{/callers}}
        </tbody>
        </table>
        </div>
        </section>

        <section class="part" aria-labelledby="examples">
        <h2 id="examples"><a href="#examples">Examples</a></h2>
        <p>Each operation has a request to copy. The requests need curl 7.87 or newer, a POSIX shell and these
        variables: {{#variables}}<code>{{name}}</code>{{^last}}, {{/last}}{{/variables}}.
        After <code>./dev up</code>, set them with this command:</p>
        <figure><figcaption>Variables</figcaption><pre tabindex="0"><code>set -a; . .ledgerd/dev.env; set +a</code></pre></figure>
        </section>

        {{#groups}}
        <section class="part" aria-labelledby="{{anchor}}">
        <h2 id="{{anchor}}"><a href="{{address}}">{{name}}</a></h2>
        <p>{{{description}}}</p>
        <ul class="index">
        {{#operations}}
        <li><a id="{{id}}" href="{{address}}">{{summary}}</a> <span><span class="method {{verb}}">{{method}}</span><code>{{path}}</code></span></li>
        {{/operations}}
        </ul>
        </section>
        {{/groups}}

        <section class="part" aria-labelledby="event-types">
        <h2 id="event-types"><a href="/docs/event-types">Event types</a></h2>
        \(names(of: "types"))
        </section>

        <section class="part" aria-labelledby="errors">
        <h2 id="errors"><a href="/docs/errors">Errors</a></h2>
        \(names(of: "errors"))
        </section>

        <section class="part" aria-labelledby="schemas">
        <h2 id="schemas"><a href="#schemas">Bodies</a></h2>
        <p>A body that only one group needs is on the page of that group.</p>
        \(names(of: "schemas"))
        </section>

        <section class="part" aria-labelledby="settings">
        <h2 id="settings"><a href="/docs/settings">Settings</a></h2>
        <p>What operators configure: the variables, their values and defaults.</p>
        </section>
        """)

    private static func names(of list: String) -> String {
        """
        <ul class="names">
        {{#\(list)}}
        <li><a id="{{anchor}}" href="{{address}}"><code>{{name}}</code></a></li>
        {{/\(list)}}
        </ul>
        """
    }

    // MARK: Groups

    static let group = ReferenceTemplates(
        """
        <h1>{{title}}</h1>
        <p class="lede">{{{description}}}</p>
        <ul class="index">
        {{#operations}}
        <li><a href="#{{id}}">{{summary}}</a> <span><span class="method {{verb}}">{{method}}</span><code>{{path}}</code></span></li>
        {{/operations}}
        </ul>
        {{#operations}}
        <section class="entry" aria-labelledby="{{id}}">
        <h2 id="{{id}}"><a href="#{{id}}">{{summary}}</a></h2>
        <p class="route"><span class="method {{verb}}">{{method}}</span><code>{{path}}</code></p>
        <div class="columns">
        <div>
        {{#details}}
        <p>{{{.}}}</p>
        {{/details}}
        <p class="quiet">Caller: {{{callers}}}</p>
        {{#hasParameters}}
        <h3>Parameters</h3>
        \(rows(of: "parameters"))
        {{/hasParameters}}
        {{#bodies}}
        <h3>Body: {{media}}</h3>
        {{#variants}}
        <p>{{{type}}}. {{{description}}}</p>
        {{#hasMembers}}
        \(rows(of: "members"))
        {{/hasMembers}}
        {{/variants}}
        {{/bodies}}
        <h3>Responses</h3>
        <dl class="answers">
        {{#answers}}
        <dt>{{status}}</dt>
        <dd>{{{meaning}}}{{#types}} Body: {{{.}}}.{{/types}}{{#headers}} <span class="quiet">Headers: {{.}}.</span>{{/headers}}</dd>
        {{/answers}}
        </dl>
        {{#hasRefusals}}
        <h3>Refusals</h3>
        <dl class="answers">
        {{#refusals}}
        <dt>{{status}}</dt>
        <dd>{{{meaning}}}
        <ul>
        {{#codes}}
        <li>{{{link}}} {{{text}}}</li>
        {{/codes}}
        </ul>
        </dd>
        {{/refusals}}
        </dl>
        {{/hasRefusals}}
        {{#usual}}
        <p class="quiet">Refusals of many operations: {{{.}}}.</p>
        {{/usual}}
        </div>
        <div class="samples">
        {{#samples}}
        <figure><figcaption>{{title}}</figcaption><pre tabindex="0"><code>{{{code}}}</code></pre></figure>
        {{/samples}}
        </div>
        </div>
        </section>
        {{/operations}}
        {{#hasSchemas}}
        <section class="part" aria-labelledby="bodies">
        <h2 id="bodies"><a href="#bodies">Bodies of this group</a></h2>
        \(schemas(heading: "h3"))
        </section>
        {{/hasSchemas}}
        """)

    static let bodies = ReferenceTemplates(
        """
        <h1>{{title}}</h1>
        <p class="lede">Bodies that several groups need.</p>
        \(schemas(heading: "h2"))
        """)

    private static func schemas(heading: String) -> String {
        """
        {{#schemas}}
        <section class="entry" aria-labelledby="schema-{{name}}">
        <\(heading) id="schema-{{name}}"><a href="#schema-{{name}}">{{name}}</a></\(heading)>
        <div class="columns">
        <div>
        <p>{{{description}}} {{{type}}}</p>
        {{#users}}
        <p class="quiet">Used by: {{{.}}}</p>
        {{/users}}
        {{#hasMembers}}
        \(rows(of: "members"))
        {{/hasMembers}}
        </div>
        <div class="samples">
        {{#examples}}
        <figure><figcaption>Example</figcaption><pre tabindex="0"><code>{{{.}}}</code></pre></figure>
        {{/examples}}
        </div>
        </div>
        </section>
        {{/schemas}}
        """
    }

    /// A list of parameters or members, with type and description.
    private static func rows(of list: String) -> String {
        """
        <ul class="members">
        {{#\(list)}}
        <li{{#anchors}} id="{{.}}"{{/anchors}}><code class="name">{{name}}</code><span class="type">{{{type}}}</span>\
        {{#required}}<span class="required">required</span>{{/required}}
        <p>{{{description}}}</p></li>
        {{/\(list)}}
        </ul>
        """
    }

    // MARK: What the groups share

    static let eventTypes = ReferenceTemplates(
        """
        <h1>{{title}}</h1>
        <p class="lede">What happens, as <a href="/docs/events">readers of events</a> and
        <a href="/docs/endpoints">endpoints</a> get it.</p>
        {{#types}}
        <section class="entry" aria-labelledby="event-{{name}}">
        <h2 id="event-{{name}}" class="name"><a href="#event-{{name}}">{{name}}</a></h2>
        <div class="columns">
        <div>
        <p>{{{summary}}}</p>
        {{#hasMembers}}
        <h3>Members of data</h3>
        \(rows(of: "members"))
        {{/hasMembers}}
        </div>
        <div class="samples">
        <figure><figcaption>Example</figcaption><pre tabindex="0"><code>{{{example}}}</code></pre></figure>
        </div>
        </div>
        </section>
        {{/types}}
        """)

    static let errors = ReferenceTemplates(
        """
        <h1>{{title}}</h1>
        <p class="lede">Each <code>code</code> of a problem, with what to do. The code never changes; the title may.</p>
        {{#errors}}
        <section class="entry" aria-labelledby="error-{{code}}">
        <h2 id="error-{{code}}" class="name"><a href="#error-{{code}}">{{code}}</a></h2>
        <div class="columns">
        <div>
        <p><strong>{{status}}</strong> {{{summary}}}</p>
        {{#advice}}
        <p>{{{.}}}</p>
        {{/advice}}
        {{#users}}
        <p class="quiet">Refused by: {{{.}}}</p>
        {{/users}}
        </div>
        <div class="samples">
        <figure><figcaption>Example</figcaption><pre tabindex="0"><code>{{{example}}}</code></pre></figure>
        </div>
        </div>
        </section>
        {{/errors}}
        """)

    static let settings = ReferenceTemplates(
        """
        <h1>{{title}}</h1>
        <p class="lede">What operators configure, by flags, variables of the environment or a file.</p>
        {{#groups}}
        <section class="part" aria-labelledby="{{anchor}}">
        <h2 id="{{anchor}}"><a href="#{{anchor}}">{{name}}</a></h2>
        {{#settings}}
        <section class="entry brief" aria-labelledby="{{variable}}">
        <h3 id="{{variable}}" class="name"><a href="#{{variable}}">{{variable}}</a></h3>
        <p>{{{summary}}}</p>
        <p class="quiet">Value: {{{rule}}}. Default: {{{default}}}. Flag: <code>{{flag}}</code>.\
        {{#isSecret}} Secret: <code>{{file}}</code> can name a file with the value.{{/isSecret}}</p>
        </section>
        {{/settings}}
        </section>
        {{/groups}}
        """)
}

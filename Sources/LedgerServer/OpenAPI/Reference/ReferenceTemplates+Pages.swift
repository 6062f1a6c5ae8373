// The pages below the first one.
extension ReferenceTemplates {
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

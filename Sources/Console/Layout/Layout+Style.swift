extension Layout {
    /// The console's style sheet.
    ///
    /// Colors have a contrast of 4.5:1 and more in both modes (WCAG 2.2, 1.4.3), and what is clicked has 24 px and more
    /// (2.5.8). Colors, spaces, sizes and corners are variables of `:root`; rules use them, never numbers of their own:
    /// `--space-1` to `--space-6` (4, 8, 12, 16, 24, 40 px), `--small`, `--large`, `--figure` (sizes of text), `--corner`,
    /// `--page` (the ground), `--card` (what lies on it), `--panel` (a quiet surface), `--shade` (a card's shadow).
    ///
    /// Classes, for the templates:
    ///
    /// | class | of | is |
    /// |---|---|---|
    /// | `quiet` | any | a remark; less than the text around it |
    /// | `number` | `th`, `td` | an amount or a count: right-aligned, digits of one width |
    /// | `id` | `code` | an id; the script gives it a button that copies it |
    /// | `hidden` | any | read aloud, not seen |
    /// | `notice`, `warning`, `problem` | `p`, `div` | what has happened, what to mind, what went wrong |
    /// | `status` and `good`, `wait`, `bad` | `span` | a state as a chip |
    /// | `badge` | `span` | a number beside a link, of what waits there |
    /// | `card` | `section`, `div` | a white box with a border |
    /// | `grid` | `div`, `ul` | tiles beside each other, as many as fit |
    /// | `tile` | `a`, `section`, `div` | a card with one figure: `.label`, `.figure`, `.trend` within; a whole link lifts |
    /// | `split` | `div` | two columns, the first one wider; one below the other when narrow |
    /// | `facts` | `dl` | names and values: `<div><dt>…<dd>…</div>`; `wide` for sums, and `key` on the one that counts |
    /// | `pair` | `span` | an id and its button, made by the script; `long` may break |
    /// | `stacked` | `table` | a card for each row when narrow, with the columns' names (`TableLabels`) |
    /// | `sortable` | `table` | sorted by the script, by its headings; only for complete tables |
    /// | `total` | `tr` | a sum: bold, and not sorted |
    /// | `empty` | `div`, `p` | nothing is there: says why, and what to do |
    /// | `act` | `form` | fields below each other, then its buttons in a `div` |
    /// | `line` | `form`, `ul` | fields or links beside each other |
    /// | `field` | `div` | a label, what is filled in, and a `small` with help |
    /// | `first` | `button`, `a.button` | the act that the page is for; one a form |
    /// | `danger` | `button` | an act that takes something away |
    /// | `small` | `button`, `a.button` | a button in a line of text or of a table |
    /// | `scroll` | `div` | scrolls sideways what is too wide |
    /// | `charts` | `div` | figures with a `figcaption` and an `svg` |
    /// | `steps` | `ol` | the steps of a task; `aria-current="step"` is the present one |
    static let style = tokens + headerStyle + textStyle + boxStyle + tableStyle + formStyle + paperStyle

    private static let tokens = """
        :root {
            color-scheme: light dark;
            --page: #f6f8fa; --card: #fff; --panel: #eef1f5; --line: #dde3ea; --control: #7c8793; --shade: 0 1px 2px #1b20260f;
            --text: #1a1f27; --quiet: #566070; --link: #0a58a8; --act: #0a58a8; --on-act: #fff; --focus: #0a58a8;
            --good: #14632f; --bad: #a3201c; --wait: #7a4b00;
            --good-panel: #e3f4e9; --bad-panel: #fdeae8; --wait-panel: #fdf1d6;
            --space-1: .25rem; --space-2: .5rem; --space-3: .75rem; --space-4: 1rem; --space-5: 1.5rem; --space-6: 2.5rem;
            --small: .8125rem; --large: 1.125rem; --figure: 1.625rem; --corner: .5rem;
            --mono: ui-monospace, "SF Mono", Menlo, Consolas, "D2Coding", monospace;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --page: #0f1318; --card: #171c23; --panel: #1f262f; --line: #2c343e; --control: #7c8894; --shade: none;
                --text: #e2e7ed; --quiet: #a3adb9; --link: #84bbf6; --act: #84bbf6; --on-act: #0b1520; --focus: #84bbf6;
                --good: #82d39e; --bad: #f7a099; --wait: #ecc16c;
                --good-panel: #14291c; --bad-panel: #351a18; --wait-panel: #312713;
            }
        }

        """

    /// The header of each page: navigation, search, account.
    private static let headerStyle = """
        body > header {
            display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding: .625rem clamp(1rem, 3vw, 2.5rem);
            border-bottom: 1px solid var(--line); background: var(--card);
        }
        .home { font-weight: 650; font-size: 1.125rem; color: inherit; text-decoration: none; padding: .25rem 0; }
        .find { display: flex; gap: .5rem; align-items: center; flex: 1 1 18rem; min-width: 0; max-width: 32rem; margin: 0; }
        .find label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .find input { flex: 1; min-width: 0; }
        .account { position: relative; margin-left: auto; }
        .account summary { cursor: pointer; padding: .375rem 0; }
        .account form {
            position: absolute; right: 0; z-index: 5; display: grid; gap: .5rem; padding: .75rem; margin: 0; min-width: 14rem;
            background: var(--page); border: 1px solid var(--line); border-radius: .5rem;
        }
        .languages { margin: 0; }
        .languages a { display: inline-block; padding: .25rem 0; min-width: 1.5rem; }
        @media (max-width: 40rem) {
            .account { margin-left: 0; }
            .account form { right: auto; left: 0; }
            .find { flex-basis: 100%; order: 5; }
        }

        """

    /// The icon in the browser's tab: two columns of a ledger.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0a58a8"/>\
        <path d="M16 7v18M8 12h5M8 17h5M19 12h5M19 17h5M19 22h5" stroke="#fff" stroke-width="2.5" \
        stroke-linecap="round"/></svg>
        """
}

extension Layout {
    /// Text: its sizes, links, marks and the focus.
    static let textStyle = """
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
        body {
            margin: 0; background: var(--page); color: var(--text);
            font: .9375rem/1.5 system-ui, -apple-system, "Segoe UI", "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif;
        }
        :lang(ko) { word-break: keep-all; }
        main { padding: var(--space-5) clamp(1rem, 3vw, 2.5rem) 5rem; max-width: 96rem; margin: 0 auto; }
        h1, h2, h3 { line-height: 1.3; overflow-wrap: anywhere; text-wrap: balance; font-weight: 650; }
        h1 { font-size: 1.5rem; letter-spacing: -.015em; margin: 0 0 var(--space-5); }
        h2 { font-size: var(--large); letter-spacing: -.005em; margin: var(--space-6) 0 var(--space-3); }
        h3 { font-size: 1rem; margin: var(--space-5) 0 var(--space-2); }
        p { margin: 0 0 var(--space-3); max-width: 44rem; overflow-wrap: anywhere; }
        a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: .0625em; }
        a:hover { text-decoration-thickness: .125em; }
        :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .25rem; }
        main:focus { outline: none; }
        .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .skip { position: absolute; left: -100vw; padding: var(--space-2) var(--space-4); background: var(--card); z-index: 9; }
        .skip:focus { left: 0; }
        .quiet, small { color: var(--quiet); }
        small { font-size: var(--small); }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        code { font: .875em var(--mono); overflow-wrap: anywhere; }
        pre {
            font: .875em/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 var(--space-3);
            padding: var(--space-3) var(--space-4); border-radius: var(--corner); background: var(--panel);
        }
        time { font-variant-numeric: tabular-nums; overflow-wrap: normal; }
        @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }

        """

    /// Boxes: notices, cards, tiles, facts, chips, charts.
    static let boxStyle = """
        .notice, .warning, .problem, .empty { padding: var(--space-3) var(--space-4); border-radius: var(--corner); max-width: none; margin: 0 0 var(--space-4); }
        .notice { background: var(--good-panel); color: var(--good); }
        .warning { background: var(--wait-panel); color: var(--wait); }
        .problem { background: var(--bad-panel); color: var(--bad); }
        .notice a, .warning a, .problem a { color: inherit; }
        .empty { border: 1px dashed var(--control); color: var(--quiet); padding: var(--space-5); text-align: center; }
        .empty p { margin: 0 auto var(--space-2); }
        .empty > :last-child { margin-bottom: 0; }

        .card, .tile, .tiles > section, dl.facts, table, form.act {
            background: var(--card); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade);
        }
        :is(.card, .tile, .tiles, .charts, fieldset) table { border: 0; box-shadow: none; margin: 0; }
        .tiles { margin: 0 0 var(--space-5); }
        .tiles > section > :last-child { margin-bottom: 0; }
        .card { padding: var(--space-4) var(--space-5); margin: 0 0 var(--space-5); }
        .card > :first-child, .tile > :first-child { margin-top: 0; }
        .card > :last-child, .tile > :last-child { margin-bottom: 0; }
        .grid {
            display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: var(--space-4);
            margin: 0 0 var(--space-5); padding: 0; list-style: none;
        }
        .tile { display: block; padding: var(--space-4); min-width: 0; color: inherit; text-decoration: none; }
        a.tile:hover { border-color: var(--control); }
        .tile .label { display: block; color: var(--quiet); font-size: var(--small); margin: 0 0 var(--space-1); }
        .tile .figure {
            display: block; font-size: var(--figure); line-height: 1.2; font-weight: 600; letter-spacing: -.02em;
            font-variant-numeric: tabular-nums; overflow-wrap: anywhere; margin: 0;
        }
        .tile .trend { display: block; font-size: var(--small); color: var(--quiet); margin: var(--space-1) 0 0; }
        .split { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: var(--space-5); align-items: start; }
        @media (max-width: 60rem) { .split { grid-template-columns: minmax(0, 1fr); } }

        dl.facts {
            display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: var(--space-4) var(--space-5);
            margin: 0 0 var(--space-5); padding: var(--space-4) var(--space-5);
        }
        dl.facts.wide { grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
        dl.facts:empty { display: none; }
        @media (max-width: 40rem) {
            dl.facts { grid-template-columns: repeat(auto-fill, minmax(min(8rem, 100%), 1fr)); }
            dl.facts > :is(.key, :has(.pair)) { grid-column: 1 / -1; }
        }
        dl.facts dt { color: var(--quiet); font-size: var(--small); }
        dl.facts dd { margin: 0; font-size: 1.0625rem; font-weight: 500; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
        @media (min-width: 40rem) { dl.facts > div:has(.pair.long) { grid-column: span 2; } }
        dl.facts dd:empty::before { content: "–"; content: "–" / ""; color: var(--quiet); }
        dl.facts .key dd { font-size: var(--figure); line-height: 1.2; font-weight: 600; letter-spacing: -.02em; }
        .status, .badge { display: inline-block; border-radius: 1rem; font-size: var(--small); line-height: 1.4; }
        .status { padding: .0625rem .5rem; font-weight: 500; background: var(--panel); overflow-wrap: normal; }
        .status.good { background: var(--good-panel); color: var(--good); }
        .status.bad { background: var(--bad-panel); color: var(--bad); }
        .status.wait { background: var(--wait-panel); color: var(--wait); }
        .badge { min-width: 1.375rem; padding: 0 .375rem; text-align: center; font-variant-numeric: tabular-nums; background: var(--panel); }
        .steps { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-5); margin: 0 0 var(--space-5); padding-left: 1.25rem; }
        .steps > li { padding-right: var(--space-4); color: var(--quiet); }
        .steps > [aria-current] { color: var(--text); font-weight: 600; }

        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: var(--space-4); margin: 0 0 var(--space-4); }
        .charts figure {
            margin: 0; min-width: 0; padding: var(--space-4); background: var(--card); border: 1px solid var(--line);
            border-radius: var(--corner); box-shadow: var(--shade);
        }
        .charts figcaption { color: var(--quiet); font-size: var(--small); margin: 0 0 var(--space-2); }
        .charts strong { color: var(--text); font-size: var(--large); font-variant-numeric: tabular-nums; }
        .charts svg { display: block; width: 100%; height: 8rem; fill: var(--act); border-bottom: 1px solid var(--line); }

        """

    /// Tables: a card with a head that stays in sight, or, when narrow, a card for each row.
    static let tableStyle = """
        .scroll { overflow-x: auto; }
        table { border-collapse: separate; border-spacing: 0; width: 100%; margin: 0 0 var(--space-4); }
        caption { text-align: left; color: var(--quiet); padding: 0 0 var(--space-2); }
        th, td { padding: .5625rem var(--space-4); text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
        tbody tr:last-child > *, tfoot tr:last-child > * { border-bottom: 0; }
        tbody th { font-weight: 550; }
        thead th {
            font-size: var(--small); font-weight: 550; color: var(--quiet); background: var(--panel); vertical-align: bottom;
            text-wrap: balance; position: sticky; top: var(--bar, 0); z-index: 1;
        }
        thead tr:first-child > :first-child { border-top-left-radius: var(--corner); }
        thead tr:first-child > :last-child { border-top-right-radius: var(--corner); }
        tbody:last-child tr:last-child > :first-child { border-bottom-left-radius: var(--corner); }
        tbody:last-child tr:last-child > :last-child { border-bottom-right-radius: var(--corner); }
        tbody tr:hover > * { background: color-mix(in srgb, var(--panel) 50%, transparent); }
        tr:target > * { background: var(--wait-panel); }
        tr.total > *, tfoot tr > * { font-weight: 650; border-top: 1px solid var(--control); }
        th.number { text-align: right; white-space: normal; }
        td { overflow-wrap: anywhere; }
        td time, th time { white-space: nowrap; }
        @media (max-width: 80rem) {
            table.stacked :is(th, td) { padding-inline: var(--space-2); }
            :is(td, th) time { white-space: normal; }
        }
        th .quiet { font-weight: 400; }
        td form { margin: 0; display: inline-block; }
        td form, td .button { vertical-align: top; margin-bottom: var(--space-1); }
        td .button ~ a:not(.button) { display: inline-block; line-height: 2rem; margin-left: var(--space-1); }
        @media (min-width: 48rem) { td :is(.status, .button, button) { white-space: nowrap; } }
        .pair { display: inline-flex; align-items: center; max-width: 100%; }
        .pair > :first-child { min-width: 0; }
        @media (min-width: 48rem) {
            .pair:not(.long) > :first-child { white-space: nowrap; }
            :is(td, th) .pair.long { min-width: 11rem; }
        }
        @media (min-width: 48rem) and (max-width: 80rem) { :is(td, th) .pair.long { min-width: 8rem; } }
        .tools { display: flex; flex-wrap: wrap; gap: var(--space-2); justify-content: space-between; margin: 0 0 var(--space-2); }
        .tools input { min-height: 2rem; font-size: var(--small); width: 16rem; }
        .tools > :last-child { margin-left: auto; }
        button.sort {
            min-height: 1.5rem; padding: 0; border: 0; background: none; font: inherit; color: inherit; text-align: inherit; display: inline;
        }
        button.sort::after { content: "↕"; content: "↕" / ""; padding-left: .25rem; opacity: .6; }
        [aria-sort=ascending] > button.sort::after { content: "↑"; content: "↑" / ""; opacity: 1; }
        [aria-sort=descending] > button.sort::after { content: "↓"; content: "↓" / ""; opacity: 1; }
        button.copy {
            flex: none; min-height: 1.5rem; width: 1.5rem; padding: 0; margin-left: .125rem; border: 0; background: none; color: var(--quiet);
            vertical-align: middle;
        }
        button.copy svg { display: block; width: .875rem; height: .875rem; margin: auto; fill: none; stroke: currentcolor; stroke-width: 1.5; }
        button.copy.done { color: var(--good); }
        button.copy:hover { color: var(--text); background: var(--panel); }
        @media (max-width: 48rem) {
            table.stacked { background: none; border: 0; box-shadow: none; }
            table.stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
            table.sortable thead { display: none; }
            table.stacked, table.stacked tbody, table.stacked tfoot, table.stacked caption { display: block; }
            table.stacked tr {
                display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: var(--space-3) var(--space-4);
                padding: var(--space-3) var(--space-4); margin: 0 0 var(--space-3);
                background: var(--card); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade);
            }
            table.stacked td, table.stacked th { display: block; border: 0; padding: 0; text-align: left; white-space: normal; min-width: 0; }
            table.stacked tr:hover > * { background: none; }
            table.stacked th, table.stacked [colspan], table.stacked td:has(button:not(.copy), .button, .pair) { grid-column: 1 / -1; }
            table.stacked td:empty { display: none; }
            table.stacked [data-label]::before {
                content: attr(data-label); display: block; color: var(--quiet); font-size: var(--small); font-weight: 400;
            }
            .tools input { width: 100%; }
            :is(.card, .tile, .tiles, .charts) table.stacked tr {
                padding: var(--space-3) 0; margin: 0; background: none; border: solid var(--line); border-width: 0 0 1px;
                border-radius: 0; box-shadow: none;
            }
            :is(.card, .tile, .tiles, .charts) table.stacked tr:last-child { border: 0; padding-bottom: 0; }
        }

        """

    /// Forms, fields and buttons.
    static let formStyle = """
        form.act { display: grid; gap: var(--space-4); max-width: 36rem; margin: 0 0 var(--space-5); padding: var(--space-4) var(--space-5); }
        form.act > :is(h2, h3, p) { margin: 0; }
        fieldset form.act, form.act form.act, .card form.act { padding: 0; border: 0; box-shadow: none; background: none; }
        form.line { display: flex; flex-wrap: wrap; align-items: end; gap: var(--space-3); margin: 0 0 var(--space-5); }
        form.line > details { flex: 1 0 100%; }
        form.line > details > div { display: flex; flex-wrap: wrap; align-items: end; gap: var(--space-3); }
        form.act > div:has(> button) { display: flex; flex-wrap: wrap; gap: var(--space-2); }
        .field { display: grid; gap: var(--space-1); min-width: 0; }
        label { font-weight: 550; font-size: .875rem; }
        input, select, textarea, button { font: inherit; color: inherit; min-height: 2.25rem; border-radius: .375rem; }
        input, select, textarea {
            padding: .375rem .625rem; background: var(--card); border: 1px solid var(--control); max-width: 100%; min-width: 0;
        }
        input:user-invalid, select:user-invalid, textarea:user-invalid { border-color: var(--bad); }
        ::placeholder { color: var(--quiet); opacity: 1; }
        textarea { min-height: 5rem; resize: vertical; }
        input[type=checkbox], input[type=radio] { min-height: 1.5rem; min-width: 1.5rem; accent-color: var(--act); }
        button, .button {
            padding: .375rem .875rem; border: 1px solid var(--control); background: var(--card); cursor: pointer; font-weight: 550;
            text-decoration: none; border-radius: .375rem; display: inline-flex; align-items: center; justify-content: center;
            gap: var(--space-2); color: var(--text); line-height: 1.3; min-height: 2.25rem;
        }
        button:hover, .button:hover { border-color: var(--text); }
        button.first, .button.first { background: var(--act); border-color: var(--act); color: var(--on-act); }
        button.first:hover, .button.first:hover { filter: brightness(1.1); }
        button.danger { border-color: var(--bad); color: var(--bad); }
        button[aria-busy=true] { cursor: progress; }
        td button:not(.copy), td .button, button.small, .button.small { min-height: 2rem; padding: .125rem .625rem; font-size: var(--small); }
        details > summary { cursor: pointer; padding: .1875rem 0; }
        details > summary:hover { color: var(--link); }
        details[open] > summary { margin-bottom: var(--space-3); }
        fieldset {
            border: 1px solid var(--line); border-radius: var(--corner); padding: var(--space-3) var(--space-4) var(--space-4);
            margin: 0; display: grid; gap: var(--space-4); min-width: 0;
        }
        legend { font-weight: 600; padding: 0 var(--space-1); }
        ul.choices {
            display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: var(--space-1) var(--space-4);
            padding: 0; list-style: none; margin: 0;
        }
        .choices label { font-weight: 400; display: flex; align-items: center; gap: var(--space-2); }
        ul.line {
            display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); list-style: none; margin: 0 0 var(--space-4); padding: 0;
        }
        ul.line a, a.pick { display: inline-block; min-height: 1.5rem; margin: 0 .25rem .25rem 0; }
        ul.line a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }

        """

    /// Paper: only what is read, without what is clicked.
    static let paperStyle = """
        @media print {
            :root {
                --page: #fff; --card: #fff; --panel: #fff; --text: #000; --quiet: #333; --line: #999; --link: #000; --shade: none;
            }
            body { font-size: 9.5pt; }
            body > header, body > nav, .skip, .tools, form, button, .button, .copy { display: none !important; }
            main { padding: 0; max-width: none; }
            thead th { position: static; }
            tr, .tile, .card, figure { break-inside: avoid; }
            h2, h3 { break-after: avoid; }
        }
        @media (forced-colors: active) { .status, .badge { border: 1px solid; } }

        """
}

extension Layout {
    /// The style of the frame: band, sidebar or drawer, and the tiles of the first page.
    ///
    /// The drawer is a checkbox that covers its label, so it opens without scripts, by click and by the space bar.
    static let frameStyle = """

        .band { flex: 1 0 100%; margin: -.625rem calc(-1 * clamp(1rem, 3vw, 2.5rem)) 0; max-width: none; font-size: .9375rem; }
        .band { padding: .375rem clamp(1rem, 3vw, 2.5rem); background: #ffb84d; color: #2b1a00; }
        .band strong { margin-right: .375rem; }
        .side .badge {
            display: inline-block; flex: none; min-width: 1.5rem; padding: 0 .4375rem; border-radius: .75rem;
            text-align: center; white-space: nowrap; font-size: .8125rem; font-weight: 600; font-variant-numeric: tabular-nums;
            background: var(--wait-panel); color: var(--wait);
        }
        .side { border-bottom: 1px solid var(--line); position: relative; background: var(--card, var(--page)); }
        .side label { display: block; padding: .5rem clamp(1rem, 3vw, 2.5rem); font-weight: 600; }
        .side label::before { content: "☰"; margin-right: .5rem; }
        .drawer { position: absolute; inset: 0 0 auto; width: 100%; height: 2.5rem; margin: 0; opacity: 0; cursor: pointer; }
        .drawer:focus-visible + label { outline: 3px solid var(--link); outline-offset: -3px; }
        .side .groups { display: none; padding: 0 clamp(1rem, 3vw, 2.5rem) 1rem; }
        .drawer:checked ~ .groups { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .75rem; }
        .group p { margin: 0; padding: .25rem .625rem; color: var(--quiet); font-size: .8125rem; font-weight: 600; }
        .group ul { list-style: none; margin: 0; padding: 0; }
        .group a {
            display: flex; justify-content: space-between; gap: .5rem; align-items: baseline; padding: .3125rem .625rem;
            border-radius: .375rem; color: inherit; text-decoration: none; font-size: .9375rem; overflow-wrap: anywhere;
        }
        .group a:hover { background: var(--line); }
        .group a[aria-current] { font-weight: 650; background: var(--panel); box-shadow: inset 3px 0 var(--link); }
        @media (min-width: 64rem) {
            .framed {
                display: grid; grid-template: "header header" auto "side main" 1fr / 15.5rem minmax(0, 1fr); min-height: 100vh;
            }
            .framed > header { grid-area: header; }
            .framed > main { grid-area: main; margin: 0; width: 100%; min-width: 0; }
            .side { grid-area: side; border: 0; border-right: 1px solid var(--line); }
            .side .groups { display: block; position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1rem .75rem; }
            .drawer:checked ~ .groups { display: block; }
            .side .group + .group { margin-top: .75rem; }
            .side .group a { padding-block: .125rem; }
            .drawer, .side label { display: none; }
        }
        @media print { .side, .band, body > header { display: none; } }

        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 1rem; }
        .tiles > section {
            border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; min-width: 0; background: var(--card, var(--page));
        }
        .tiles > section.wide { grid-column: 1 / -1; }
        .tiles h2 { margin: 0 0 .5rem; font-size: 1rem; }
        dl.lines { margin: 0 0 .5rem; }
        dl.lines > div { display: flex; justify-content: space-between; gap: 1rem; padding: .25rem 0; }
        dl.lines dt { color: var(--quiet); }
        dl.lines dd { margin: 0; text-align: right; font-weight: 600; font-variant-numeric: tabular-nums; }
        .tiles h2 a { color: inherit; }
        .tiles table { font-size: .9375rem; }
        .tiles tr:last-child > * { border-bottom: 0; }
        .tiles p:last-child, .tiles ul.line { margin-bottom: 0; }

        """

    /// Closes the drawer with Escape; everything else of the frame needs no script.
    static let frameScript = """
        document.addEventListener("keydown", event => {
            const drawer = document.getElementById("drawer");
            if (event.key !== "Escape" || !drawer || !drawer.checked || !drawer.checkVisibility()) return;
            drawer.checked = false;
            drawer.focus();
        });

        """
}

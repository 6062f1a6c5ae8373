extension Reference {
    /// The script of all pages, for comfort only: every page works without it.
    ///
    /// It adds the search and the buttons that copy, and follows old links of `/docs#…` to the page that they are on now.
    static let script = """
        "use strict";
        // An entry of the first page is where a link to the page of all operations once led.
        const old = document.getElementById(location.hash.slice(1));
        if (old?.tagName === "A" && old.pathname !== location.pathname) location.replace(old.href);

        // Buttons that copy.

        const status = document.getElementById("status");
        async function copy(text) {
            if (navigator.clipboard) return navigator.clipboard.writeText(text);
            // Without TLS, browsers have only the older way.
            const field = document.createElement("textarea");
            field.value = text;
            document.body.append(field);
            field.select();
            const isCopied = document.execCommand("copy");
            field.remove();
            if (!isCopied) throw new Error("not copied");
        }
        for (const block of document.querySelectorAll("figure, .route")) {
            const code = block.querySelector("code");
            const what = block.querySelector("figcaption")?.textContent || code.textContent;
            const button = document.createElement("button");
            button.type = "button";
            button.className = "copy";
            button.textContent = "Copy";
            button.setAttribute("aria-label", "Copy: " + what);
            button.addEventListener("click", async () => {
                try {
                    await copy(code.textContent);
                    button.textContent = "Copied";
                } catch {
                    button.textContent = "Not copied";
                }
                button.focus();
                status.textContent = button.textContent + ": " + what;
                setTimeout(() => { button.textContent = "Copy"; }, 2000);
            });
            block.append(button);
        }

        // The search.

        const form = document.getElementById("search");
        const field = document.getElementById("find");
        const found = document.getElementById("found");
        const most = 20;
        let index;
        form.hidden = false;

        function load() {
            index ??= fetch("/docs/search.json")
                .then(answer => answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText)))
                .then(entries => entries.map(entry => {
                    const names = (entry.code + " " + entry.title).toLowerCase();
                    return {...entry, names, all: names + " " + entry.words.toLowerCase()};
                }));
            index.catch(() => { index = undefined; });
            return index;
        }

        // How well an entry answers; the least comes first. -1: not at all.
        function rank(entry, text, words) {
            if (!words.every(word => entry.all.includes(word))) return -1;
            const code = entry.code.toLowerCase();
            if (code === text || code.split(" ").pop() === text) return 0;
            if (words.every(word => code.includes(word))) return 1;
            if (words.every(word => entry.names.includes(word))) return 2;
            return (" " + entry.all + " ").includes(" " + text + " ") ? 3 : 4;
        }

        function row(entry) {
            const [item, link, kind, code, title] =
                ["li", "a", "span", "code", "span"].map(name => document.createElement(name));
            link.href = entry.at;
            kind.className = "kind";
            kind.textContent = entry.kind;
            code.textContent = entry.code;
            title.textContent = entry.title;
            link.append(kind, " ", code, " ", title);
            item.append(link);
            return item;
        }

        async function search() {
            const text = field.value.trim().toLowerCase();
            if (!text) { found.replaceChildren(); found.hidden = true; status.textContent = ""; return; }
            let entries;
            try {
                entries = await load();
            } catch {
                status.textContent = "The search does not work now. Try again.";
                return;
            }
            // What was typed meanwhile is searched by itself.
            if (text !== field.value.trim().toLowerCase()) return;
            const words = text.split(/\\s+/);
            const hits = entries.map(entry => [rank(entry, text, words), entry]).filter(([rank]) => rank >= 0)
                .sort(([one], [other]) => one - other);
            found.replaceChildren(...hits.slice(0, most).map(([, entry]) => row(entry)));
            found.hidden = hits.length === 0;
            status.textContent =
                hits.length > most ? `The first ${most} of ${hits.length} results`
                    : hits.length === 0 ? "Nothing found" : hits.length === 1 ? "1 result" : `${hits.length} results`;
        }

        function close() { field.value = ""; search(); }

        field.addEventListener("focus", () => { load().catch(() => {}); });
        field.addEventListener("input", search);
        form.addEventListener("submit", event => {
            event.preventDefault();
            found.querySelector("a")?.click();
        });
        // The result can be on this page.
        found.addEventListener("click", event => { if (event.target.closest("a")) setTimeout(close); });
        form.addEventListener("keydown", event => {
            if (event.key === "Escape") { close(); field.focus(); return; }
            const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
            if (!step) return;
            const stops = [field, ...found.querySelectorAll("a")];
            const next = stops[stops.indexOf(document.activeElement) + step];
            if (next) { event.preventDefault(); next.focus(); }
        });
        document.addEventListener("keydown", event => {
            const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
            if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            field.focus();
            field.select();
        });

        """
}

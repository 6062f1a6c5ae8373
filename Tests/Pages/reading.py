"""What a screen reader reads, and in which order: Chromium's accessibility tree of the page that is shown."""

# What takes the focus, or is jumped to.
NAMED = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "spinbutton", "DisclosureTriangle", "Date"}

# Headings, forms and tables of the content, with their tops, in the order of the document. In a narrow window all of them
# are below each other, so the order that is read is the order that is seen.
TOPS = """
return [...document.querySelectorAll("main :is(h1, h2, h3, form, table, p, dl)")]
    .filter(element => !element.closest("td, th, details:not([open]), .hidden, dl dl") && element.checkVisibility())
    .map(element => [element.tagName + " " + element.textContent.trim().slice(0, 40), element.getBoundingClientRect().top]);
"""


def tree(browser):
    """The nodes that are read, in their order: role, name, and the level of a heading."""
    nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    found, waiting = [], [nodes[0]["nodeId"]]
    while waiting:
        node = by_id.get(waiting.pop())
        if node is None:
            continue
        if not node.get("ignored"):
            properties = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
            found.append((node["role"]["value"], node.get("name", {}).get("value", "").strip(), properties))
        waiting.extend(reversed(node.get("childIds", [])))
    return found


def faults(browser, is_narrow):
    """What is wrong with how the page is read, in words."""
    nodes = tree(browser)
    roles = [role for role, _, _ in nodes]
    for role, name, properties in nodes:
        if role in NAMED and properties.get("focusable") and not name:
            yield f"read: a {role} has no name"
    focusable = [name for role, name, properties in nodes if role == "link" and properties.get("focusable")]
    if not focusable or focusable[0] not in ("Skip to the content", "본문으로 건너뛰기"):
        yield f"read: the first link is {focusable[:1]}, not the one to the content"
    landmarks = [role for role in roles if role in ("banner", "navigation", "main")]
    if "main" not in landmarks or landmarks[-1] != "main" or landmarks[0] != "banner":
        yield f"read: the landmarks are {landmarks}"
    levels = [properties.get("level") for role, _, properties in nodes if role == "heading"]
    if levels[:1] != [1] or levels.count(1) != 1:
        yield f"read: the headings have the levels {levels}"
    if any(after > before + 1 for before, after in zip(levels, levels[1:])):
        yield f"read: a level of headings is left out: {levels}"
    if is_narrow:
        tops = browser.execute_script(TOPS)
        for (above, first), (below, second) in zip(tops, tops[1:]):
            # Lines that stand beside each other differ by less than a line.
            if second < first - 24:
                yield f"read: {below!r} is read after {above!r}, and stands above it"

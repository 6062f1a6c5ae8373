#!/usr/bin/env python3
"""Checks lists of contents: each is valid CycloneDX, and has what it must have. ./dev image --test calls it.

    sbom.py FILE…    of a package (.deb.cdx.json) or an image (.docker.cdx.json)
"""

import json
import pathlib
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = pathlib.Path(__file__).resolve().parents[2]


def faults(path):
    text = path.read_text()
    invalid = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    if invalid:
        yield f"it is not valid: {invalid}"
    components = {found["name"]: found for found in json.loads(text)["components"]}
    pinned = [line.split() for line in (ROOT / "Package.versions").read_text().splitlines()]
    for identity, version, *_ in pinned:
        if components.get(identity, {}).get("version") != version:
            yield f"{identity} {version} is missing"
    for library in ["libpq5", "libcurl4", "libexpat1", "ca-certificates"]:
        has_version = "version" in components.get(library, {})
        if library not in components or has_version != path.name.endswith(".docker.cdx.json"):
            yield f"{library} is missing, or its version"
    if "timestamp" in text:
        yield "it has a time"


def main():
    found = [f"{name}: {fault}" for name in sys.argv[1:] for fault in faults(pathlib.Path(name))]
    if len(sys.argv) == 1 or found:
        sys.exit("\n".join(found) or __doc__)
    print("ok: the lists of contents are valid CycloneDX and complete")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Prints what a package or an image of ledgerd contains, as CycloneDX 1.5 in JSON: the same for the same content.

    sbom.py NAME VERSION ARCHITECTURE --swift VERSION --installed STATUS    of an image: STATUS is its /var/lib/dpkg/status
    sbom.py NAME VERSION ARCHITECTURE --swift VERSION --depends DEPENDS     of a package: DEPENDS is that field of it

Swift's packages are all of Package.versions: those that are linked into the binary, and those that only tests use.
"""

import argparse
import json
import pathlib
import re
import sys
import urllib.parse
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[1]


def component(kind, name, version, purl, **members):
    found = {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl, **members}
    return {key: value for key, value in found.items() if value is not None}


def quoted(text):
    return urllib.parse.quote(text, safe="")


def swift_packages():
    """Package.versions has identity, version, revision and address in each line."""
    for line in (ROOT / "Package.versions").read_text().splitlines():
        identity, version, revision, address = line.split()
        place = address.removeprefix("https://").removesuffix(".git")
        yield component(
            "library", identity, version, f"pkg:swift/{place}@{version}",
            externalReferences=[{"type": "vcs", "url": address, "comment": f"commit {revision}"}])


def installed_packages(status, release):
    """Debian's packages in a dpkg status file; ledgerd's own is what is described."""
    for paragraph in status.read_text().strip().split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", paragraph, re.M))
        if fields["Status"] != "install ok installed" or fields["Package"] == "ledgerd":
            continue
        # "name (version)", where the version differs; without the field, the source has the package's name.
        source = fields.get("Source", fields["Package"]).split(" ")[0]
        purl = (f"pkg:deb/debian/{quoted(fields['Package'])}@{quoted(fields['Version'])}"
                f"?arch={fields['Architecture']}&distro={release}&upstream={quoted(source)}")
        yield component("library", fields["Package"], fields["Version"], purl)


def needed_packages(depends, release):
    """What a package needs of Debian, which has no version before it is installed."""
    for item in depends.split(", "):
        name, _, rule = item.partition(" ")
        yield component(
            "library", name, None, f"pkg:deb/debian/{quoted(name)}?distro={release}", scope="required",
            description=f"not contained: Depends {name} {rule}".rstrip())


def release_of_debian():
    text = pathlib.Path("/etc/os-release").read_text()
    fields = dict(re.findall(r'^([A-Z_]+)="?(.*?)"?$', text, re.M))
    return f"{fields['ID']}-{fields['VERSION_ID']}"


def document(options):
    release = release_of_debian()
    kind = "container" if options.installed else "application"
    purl = f"pkg:generic/{options.name}@{quoted(options.version)}?arch={options.architecture}"
    if options.installed:
        system = installed_packages(options.installed, release)
    else:
        system = needed_packages(options.depends, release)
    toolchain = component(
        "framework", "swift", options.swift, f"pkg:github/swiftlang/swift@swift-{quoted(options.swift)}-RELEASE",
        description="the standard library and Foundation, linked into the binary")
    components = sorted([toolchain, *swift_packages(), *system], key=lambda found: found["bom-ref"])
    content = {
        "metadata": {"component": component(
            kind, options.name, options.version, purl, licenses=[{"license": {"id": "Apache-2.0"}}])},
        "components": components,
        "dependencies": [
            {"ref": purl, "dependsOn": [found["bom-ref"] for found in components]},
            *({"ref": found["bom-ref"]} for found in components)],
    }
    # The number follows from the content, and there is no time: the same content is the same document.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{number}", "version": 1, **content}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("version")
    parser.add_argument("architecture")
    parser.add_argument("--swift", required=True, help="the version of the toolchain that built the binary")
    content = parser.add_mutually_exclusive_group(required=True)
    content.add_argument("--installed", type=pathlib.Path, help="a status file of dpkg")
    content.add_argument("--depends", help="the field Depends of a package")
    json.dump(document(parser.parse_args()), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()

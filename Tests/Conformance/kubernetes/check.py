"""Checks the manifests of packaging/kubernetes: against the schemas of Kubernetes, of the custom resources that they use,
by checkov, and by rules of our own. Then the same checks must find each mistake of broken.yaml."""

import copy
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import jsonpatch
import jsonschema
import kubernetes_validate
import yaml

import crds
from build import Refused, load, name_of, overlays
from rules import EXCEPT, RULES, select

HERE = Path(__file__).parent
MANIFESTS = HERE.parents[2] / "packaging" / "kubernetes"
# The oldest that docs/kubernetes.md names, and the newest that the package knows.
VERSIONS = ["1.31", kubernetes_validate.latest_version()]
results = Counter()


def report(passed, what, detail=""):
    results[passed] += 1
    if not passed:
        print(f"FAILED: {what}: {detail}")


def schema_errors(objects):
    for made in objects:
        where = "/".join(str(part) for part in name_of(made))
        if made["kind"] in crds.SCHEMAS:
            for error in jsonschema.Draft202012Validator(crds.SCHEMAS[made["kind"]]).iter_errors(made):
                yield f"{where}: {error.message}"
            continue
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(made, version, strict=True)
            except (kubernetes_validate.ValidationError, kubernetes_validate.SchemaNotFoundError) as error:
                yield f"{where}, Kubernetes {version}: {error.message}"


def checkov(cases):
    """The ids of the checks that fail, by the name of the case; one run for all of them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, objects in cases.items():
            (Path(folder) / f"{name}.yaml").write_text(yaml.safe_dump_all(objects))
        program = Path(sys.executable).parent / "checkov"
        run = subprocess.run(
            [program, "--directory", folder, "--framework", "kubernetes", "--quiet", "--compact", "--skip-download",
             "--output", "json"], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            sys.exit(f"checkov: {run.stderr[-2000:]}")
        found = json.loads(run.stdout)
        if found["results"].get("parsing_errors") or found["summary"]["passed"] < 100 * len(cases):
            sys.exit(f"checkov has not checked all: {found['summary']}")
        failures = {name: set() for name in cases}
        for one in found["results"]["failed_checks"]:
            failures[Path(one["file_path"]).stem].add((one["check_id"], f"{one['check_name']}: {one['resource']}"))
        return failures


def broken(objects, mistake):
    changed = copy.deepcopy(objects)
    made = select(changed, mistake["kind"])[0]
    operation = {key: mistake[key] for key in ("op", "path", "value") if key in mistake}
    jsonpatch.apply_patch(made, [operation], in_place=True)
    return changed


def found_by_us(objects):
    found = {"schema"} if any(schema_errors(objects)) else set()
    for rule in RULES:
        try:
            if any(rule(objects)):
                found.add(rule.__name__)
        except (KeyError, TypeError, AttributeError, ValueError):
            pass  # A schema finds what a rule can't read.
    return found


def main():
    built = overlays(MANIFESTS)
    for name, objects in built.items():
        errors = list(schema_errors(objects))
        report(not errors, f"{name}: schemas", "; ".join(errors))
        for rule in RULES:
            if rule not in EXCEPT.get(name, []):
                errors = list(rule(objects))
                report(not errors, f"{name}: {rule.__name__}", "; ".join(errors))

    (mistakes,) = load(HERE / "broken.yaml")
    (exceptions,) = load(HERE / "exceptions.yaml")
    excepted = {one["check"] for one in exceptions}
    wrong = {f"mistake-{i}": broken(built["production"], mistake) for i, mistake in enumerate(mistakes)}
    for_checkov = {name: made for name, made in wrong.items()
                   if mistakes[int(name.split("-")[1])]["found_by"].startswith("CKV")}
    failures = checkov({"example": built["example"], "production": built["production"]} | for_checkov)

    for name in ("example", "production"):
        kept = [f"{check} {title}" for check, title in sorted(failures[name]) if check not in excepted]
        report(not kept, f"{name}: checkov", "; ".join(kept))
    for one in exceptions:
        report(one["check"] in {check for check, _ in failures["production"]}, one["check"], "is not reported any more")
    for i, mistake in enumerate(mistakes):
        name = f"mistake-{i}"
        found = {check for check, _ in failures[name]} if name in for_checkov else found_by_us(wrong[name])
        report(mistake["found_by"] in found, f"{mistake} is not found", f"only by {sorted(found)}")

    print(f"{results[True]} passed, {results[False]} failed")
    return 1 if results[False] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Refused, jsonpatch.JsonPatchException) as error:
        sys.exit(f"FAILED: the overlays can't be built: {error}")

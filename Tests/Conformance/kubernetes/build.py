"""Builds an overlay as `kustomize build` does, for the few fields that ours use. Debian 12 and PyPI have no kustomize that
knows them (docs/decisions/0221). Any other field is refused, so that nothing is left out silently."""

import re
from pathlib import Path

import jsonpatch
import yaml

ALLOWED = {"apiVersion", "kind", "resources", "images", "patches"}


class Refused(Exception):
    pass


class UniqueLoader(yaml.SafeLoader):
    """YAML in which a key that is there twice is an error, as in kustomize."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key) for key, _ in node.value]
        if len(keys) != len(set(keys)):
            raise Refused(f"a key is there twice, near line {node.start_mark.line + 1}")
        return super().construct_mapping(node, deep)


def load(path):
    return [document for document in yaml.load_all(path.read_text(), UniqueLoader) if document is not None]


def build(folder):
    """The objects of the overlay in `folder`."""
    (kustomization,) = load(folder / "kustomization.yaml")
    if unknown := set(kustomization) - ALLOWED:
        raise Refused(f"{folder}: this builder does not know {', '.join(sorted(unknown))}")
    if kustomization["kind"] != "Kustomization" or kustomization["apiVersion"] != "kustomize.config.k8s.io/v1beta1":
        raise Refused(f"{folder}: not a Kustomization")
    objects = [made for name in kustomization["resources"] for made in resources(folder / name)]
    names = [name_of(made) for made in objects]
    if twice := {name for name in names if names.count(name) > 1}:
        raise Refused(f"{folder}: {sorted(twice)} are there twice")
    for patch in kustomization.get("patches", []):
        apply(patch, folder, objects)
    for image in kustomization.get("images", []):
        rename(image, folder, objects)
    return objects


def resources(path):
    return build(path) if path.is_dir() else load(path)


def name_of(made):
    return made["kind"], made["metadata"].get("namespace"), made["metadata"]["name"]


def apply(patch, folder, objects):
    """A JSON patch (RFC 6902) of the one object that `target` names."""
    if set(patch) != {"path", "target"} or set(patch["target"]) != {"kind", "name"}:
        raise Refused(f"{folder}: a patch has other fields than path and target, kind and name")
    kind, name = patch["target"]["kind"], patch["target"]["name"]
    places = [i for i, made in enumerate(objects) if (made["kind"], made["metadata"]["name"]) == (kind, name)]
    if len(places) != 1:
        raise Refused(f"{folder}: {len(places)} objects are called {kind} {name}")
    (operations,) = load(folder / patch["path"])
    objects[places[0]] = jsonpatch.apply_patch(objects[places[0]], operations)


def containers(made):
    spec = made.get("spec", {}).get("template", {}).get("spec", {})
    return spec.get("initContainers", []) + spec.get("containers", [])


def rename(image, folder, objects):
    """The other name or tag of an image; what is not said stays."""
    if not {"name"} < set(image) <= {"name", "newName", "newTag"}:
        raise Refused(f"{folder}: an image has other fields than name, newName and newTag")
    used = False
    for container in (container for made in objects for container in containers(made)):
        name, tag = re.fullmatch(r"(.+?)(?::([^:/]+))?", container["image"]).groups()
        if name != image["name"]:
            continue
        used = True
        tag = image.get("newTag", tag)
        container["image"] = image.get("newName", name) + (f":{tag}" if tag else "")
    if not used:
        raise Refused(f"{folder}: no container has the image {image['name']}")


def overlays(root):
    return {name: build(root / name) for name in ("base", "example", "production")}


if __name__ == "__main__":
    import sys

    yaml.safe_dump_all(build(Path(sys.argv[1])), sys.stdout, sort_keys=False)

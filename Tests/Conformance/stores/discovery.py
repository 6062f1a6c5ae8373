"""The schemas of Google's discovery documents, which come with Google's client, as JSON Schema."""

import importlib.resources
import json

from jsonschema import Draft202012Validator

# What the formats of the documents mean, where a text has one.
PATTERNS = {
    "int64": r"^-?[0-9]+$",
    "google-datetime": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$",
}


def as_json_schema(node):
    """A schema that forbids members that the document doesn't know."""
    if "$ref" in node:
        return {"$ref": "#/$defs/" + node["$ref"]}
    schema = {key: node[key] for key in ("type", "enum") if key in node}
    if node.get("type") == "string" and node.get("format") in PATTERNS:
        schema["pattern"] = PATTERNS[node["format"]]
    if "items" in node:
        schema["items"] = as_json_schema(node["items"])
    if node.get("type") == "object" and "additionalProperties" not in node:
        schema["properties"] = {name: as_json_schema(item) for name, item in node.get("properties", {}).items()}
        schema["additionalProperties"] = False
    return schema


class Document:
    """One API's document."""

    def __init__(self, name):
        folder = importlib.resources.files("googleapiclient") / "discovery_cache" / "documents"
        root = json.loads((folder / name).read_text())
        self.schemas = {name: as_json_schema(schema) for name, schema in root["schemas"].items()}

    def problems(self, name, body):
        """What is wrong with a value of the schema, in words."""
        validator = Draft202012Validator({"$ref": "#/$defs/" + name, "$defs": self.schemas})
        return [
            f"at /{'/'.join(str(part) for part in error.absolute_path)}: {error.message[:200]}"
            for error in validator.iter_errors(body)
        ]


ANDROID_PUBLISHER = Document("androidpublisher.v3.json")
PUBSUB = Document("pubsub.v1.json")

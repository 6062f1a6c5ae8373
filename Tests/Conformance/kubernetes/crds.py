"""What we use of two custom resources, as strict JSON Schemas of our own: a field that is not here is refused, so that a
misspelt one is found. Whoever uses another field adds it here, from its document:

- Cluster: CloudNativePG, "API reference", types ClusterSpec, BootstrapInitDB, RoleConfiguration,
  SynchronousReplicaConfiguration (failoverQuorum since 1.28), AffinityConfiguration, StorageConfiguration. Parameters that
  the operator alone may set: its page "PostgreSQL Configuration", "Fixed parameters".
- ServiceMonitor: Prometheus operator, "API reference", monitoring.coreos.com/v1, types ServiceMonitorSpec and Endpoint.
"""

NAME = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}
LABELS = {"type": "object", "additionalProperties": {"type": "string"}}
QUANTITY = {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?(m|[KMGT]i?)?$"}
DURATION = {"type": "string", "pattern": "^[0-9]+(ms|s|m|h)$"}
BOOLEAN = {"type": "boolean"}


def strict(required, **properties):
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": required}


def resource(version, kind, spec):
    metadata = strict(["name", "namespace"], name=NAME, namespace=NAME, labels=LABELS)
    return strict(
        ["apiVersion", "kind", "metadata", "spec"],
        apiVersion={"const": version}, kind={"const": kind}, metadata=metadata, spec=spec)


NAMED = strict(["name"], name=NAME)
AMOUNTS = strict([], cpu=QUANTITY, memory=QUANTITY)
STORAGE = strict(["size"], size=QUANTITY, storageClass=NAME)

INITDB = strict(
    ["database", "owner", "secret"],
    database=NAME, owner={"type": "string"}, secret=NAMED, encoding={"const": "UTF8"},
    postInitSQL={"type": "array", "items": {"type": "string"}})

ROLE = strict(
    ["name", "passwordSecret"],
    name=NAME, ensure={"enum": ["present", "absent"]}, login=BOOLEAN, passwordSecret=NAMED,
    inRoles={"type": "array", "items": {"type": "string"}})

SYNCHRONOUS = strict(
    ["method", "number"],
    method={"enum": ["any", "first"]}, number={"type": "integer", "minimum": 1},
    dataDurability={"enum": ["required", "preferred"]}, failoverQuorum=BOOLEAN)

# Parameters of PostgreSQL that we set, none of which is fixed by the operator. All values are texts.
PARAMETERS = strict([], **{
    name: {"type": "string"}
    for name in (
        "max_connections", "shared_buffers", "max_wal_size", "max_slot_wal_keep_size", "wal_compression",
        "wal_sender_timeout", "wal_receiver_timeout", "wal_retrieve_retry_interval", "track_commit_timestamp")})

CLUSTER = resource("postgresql.cnpg.io/v1", "Cluster", strict(
    ["instances", "imageName", "bootstrap", "postgresql", "storage"],
    instances={"type": "integer", "minimum": 1},
    imageName={"type": "string"},
    bootstrap=strict(["initdb"], initdb=INITDB),
    managed=strict(["roles"], roles={"type": "array", "items": ROLE}),
    postgresql=strict([], synchronous=SYNCHRONOUS, parameters=PARAMETERS),
    smartShutdownTimeout={"type": "integer", "minimum": 0},
    failoverDelay={"type": "integer", "minimum": 0},
    switchoverDelay={"type": "integer", "minimum": 1},
    primaryUpdateStrategy={"enum": ["unsupervised", "supervised"]},
    primaryUpdateMethod={"enum": ["restart", "switchover"]},
    affinity=strict(
        [], enablePodAntiAffinity=BOOLEAN, podAntiAffinityType={"enum": ["required", "preferred"]},
        topologyKey={"type": "string"}),
    storage=STORAGE, walStorage=STORAGE,
    resources=strict([], requests=AMOUNTS, limits=AMOUNTS)))

SERVICE_MONITOR = resource("monitoring.coreos.com/v1", "ServiceMonitor", strict(
    ["selector", "endpoints"],
    selector=strict(["matchLabels"], matchLabels=LABELS),
    endpoints={"type": "array", "minItems": 1, "items": strict(
        ["port"], port=NAME, path={"type": "string", "pattern": "^/"}, interval=DURATION, scrapeTimeout=DURATION)}))

SCHEMAS = {"Cluster": CLUSTER, "ServiceMonitor": SERVICE_MONITOR}

"""Rules that no schema knows: what ledgerd's manifests promise of each other. Each yields what is wrong."""


def select(objects, kind, name=None):
    return [made for made in objects if made["kind"] == kind and name in (None, made["metadata"]["name"])]


def pods(objects):
    """The templates of pods, by the name of what makes them."""
    return {made["metadata"]["name"]: made["spec"]["template"] for made in objects if made["kind"] in ("Deployment", "Job")}


def matches(selector, labels):
    return all(labels.get(key) == value for key, value in selector.items())


def secrets_of(template):
    return {volume["secret"]["secretName"] for volume in template["spec"].get("volumes", []) if "secret" in volume}


def owner_is_apart(objects):
    """Only the migration has the owner's credentials, and no pod has a key of the cluster's authority or of Kubernetes."""
    for name, template in pods(objects).items():
        if ("ledgerd-migrate" in secrets_of(template)) != (name == "ledgerd-migrate"):
            yield f"{name}: only the migration has the Secret ledgerd-migrate"
        if secrets_of(template) & {"ledgerd-db-owner", "ledgerd-db-service", "ledgerd-db-superuser"}:
            yield f"{name}: has a Secret of the database's operator"
        for volume in template["spec"]["volumes"]:
            secret = volume.get("secret", {})
            if secret.get("secretName") == "ledgerd-db-ca" and [i["key"] for i in secret.get("items", [])] != ["ca.crt"]:
                yield f"{name}: has the private key of the database's authority"
        if template["spec"].get("automountServiceAccountToken", True) or template["spec"].get("enableServiceLinks", True):
            yield f"{name}: has a token, or variables of other Services"


def ports_are_there(objects):
    """Services, probes, policies and the monitor name ports that the container has, and pods that are there."""
    (template,) = [made["spec"]["template"] for made in select(objects, "Deployment")]
    labels = template["metadata"]["labels"]
    container = template["spec"]["containers"][0]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for service in select(objects, "Service"):
        if not matches(service["spec"]["selector"], labels):
            yield f"Service {service['metadata']['name']} selects no pod"
        for port in service["spec"]["ports"]:
            if port["targetPort"] not in ports:
                yield f"Service {service['metadata']['name']}: no port {port['targetPort']}"
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        if container[probe]["httpGet"]["port"] != "admin":
            yield f"{probe} does not ask the admin port"
    for monitor in select(objects, "ServiceMonitor"):
        chosen = [
            service for service in select(objects, "Service")
            if matches(monitor["spec"]["selector"]["matchLabels"], service["metadata"]["labels"])]
        names = [port["name"] for service in chosen for port in service["spec"]["ports"]]
        if names != [endpoint["port"] for endpoint in monitor["spec"]["endpoints"]]:
            yield f"ServiceMonitor {monitor['metadata']['name']} finds the ports {names}"
    opened = {port["port"] for rule in policy(objects, "ledgerd")["ingress"] for port in rule["ports"]}
    if opened != set(ports.values()):
        yield f"the NetworkPolicy opens {sorted(opened)} and not {sorted(ports.values())}"


def policy(objects, name):
    return select(objects, "NetworkPolicy", name)[0]["spec"]


def every_pod_has_a_policy(objects):
    policies = [made["spec"] for made in select(objects, "NetworkPolicy")]
    for name, template in pods(objects).items():
        mine = [one for one in policies if matches(one["podSelector"]["matchLabels"], template["metadata"]["labels"])]
        if [sorted(one["policyTypes"]) for one in mine] != [["Egress", "Ingress"]]:
            yield f"{name}: its traffic is not limited in both directions, by one policy"
    for rule in policy(objects, "ledgerd")["ingress"]:
        if 8082 in [port["port"] for port in rule["ports"]]:
            names = [peer["namespaceSelector"]["matchLabels"] for peer in rule["from"]]
            if names != [{"kubernetes.io/metadata.name": "monitoring"}]:
                yield f"the admin port is open to {names}"


def commits_are_confirmed(objects):
    """docs/high-availability.md: a standby confirms each commit, and only one that has them all is promoted."""
    (cluster,) = select(objects, "Cluster")
    spec = cluster["spec"]
    wanted = {"method": "any", "number": 1, "dataDurability": "required", "failoverQuorum": True}
    if spec["instances"] != 3 or spec["postgresql"].get("synchronous") != wanted:
        yield "the database can commit alone, or promote a standby that lacks a commit"
    if spec["failoverDelay"] < 5 * spec["smartShutdownTimeout"]:
        yield "a standby can be promoted beside a primary that is still stopping"


def a_lost_standby_stops_nothing(objects):
    """What the primary keeps for a standby that is away, and what it writes until its next checkpoint, fit on its volume."""
    (cluster,) = select(objects, "Cluster")
    kept, written = (
        gigabytes(cluster["spec"]["postgresql"]["parameters"].get(name, "1000GB"))
        for name in ("max_slot_wal_keep_size", "max_wal_size"))
    if kept + written >= gigabytes(cluster["spec"]["walStorage"]["size"]):
        yield "a standby that is away fills the primary's volume"


def gigabytes(size):
    """PostgreSQL's GB is Kubernetes' Gi."""
    return int(size.removesuffix("GB").removesuffix("Gi"))


def updates_leave_no_gap(objects):
    (deployment,) = select(objects, "Deployment")
    if deployment["spec"]["strategy"].get("rollingUpdate") != {"maxUnavailable": 0, "maxSurge": 1}:
        yield "an update stops a process before the next one is ready"
    for spread in deployment["spec"]["template"]["spec"]["topologySpreadConstraints"]:
        if spread.get("matchLabelKeys") != ["pod-template-hash"]:
            yield "an update can put all new processes on one machine"


RULES = [
    owner_is_apart, ports_are_there, every_pod_has_a_policy, commits_are_confirmed, a_lost_standby_stops_nothing,
    updates_leave_no_gap,
]
# The example has one process, whose volume one pod can write.
EXCEPT = {"example": [updates_leave_no_gap]}

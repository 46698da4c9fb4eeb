#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs an OCI image as a Dockerfile says, on a root file system in the place of its base, where no builder of images is.

  image.py DOCKERFILE ROOTFS_TAR CONTEXT NAME OUT

Knows the instructions that the files in src/docker use: COPY of all of the context, ENV, WORKDIR, USER, ENTRYPOINT and CMD.
"""
import hashlib, io, json, os, platform, sys, tarfile, tempfile

dockerfile, rootfs, context, name, out = sys.argv[1:]
architecture = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
config = {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]}
target = None
for line in open(dockerfile):
    word, _, rest = line.strip().partition(" ")
    if word in ("", "#", "ARG", "FROM"):
        continue
    elif word == "COPY":
        owner, source, target = rest.split()
        assert (owner, source) == ("--chown=0:0", "."), line
    elif word == "ENV":
        config["Env"].append(rest)
    elif word in ("WORKDIR", "USER"):
        config[{"WORKDIR": "WorkingDir", "USER": "User"}[word]] = rest
    elif word in ("ENTRYPOINT", "CMD"):
        config[word.capitalize()] = json.loads(rest)
    else:
        sys.exit(f"{dockerfile}: {line.strip()}: not known")


def sha(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return "sha256:" + digest.hexdigest()


def as_root(entry):
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(out))) as work:
    top = os.path.join(work, "context.tar")
    with tarfile.open(top, "w") as tar:
        tar.add(context, target.lstrip("/"), filter=as_root)
        if "WorkingDir" in config:
            entry = tarfile.TarInfo(config["WorkingDir"].lstrip("/"))
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(entry)
    layers = [(path, sha(path)) for path in (rootfs, top)]
    blob = lambda value: json.dumps(value).encode()
    digest = lambda data: "sha256:" + hashlib.sha256(data).hexdigest()
    oci = "application/vnd.oci.image."
    image = blob({"architecture": architecture, "os": "linux", "config": config,
                  "rootfs": {"type": "layers", "diff_ids": [each for _, each in layers]}})
    manifest = blob({"schemaVersion": 2, "mediaType": oci + "manifest.v1+json",
                     "config": {"mediaType": oci + "config.v1+json", "digest": digest(image), "size": len(image)},
                     "layers": [{"mediaType": oci + "layer.v1.tar", "digest": each, "size": os.path.getsize(path)} for path, each in layers]})
    index = blob({"schemaVersion": 2, "manifests": [{"mediaType": oci + "manifest.v1+json", "digest": digest(manifest), "size": len(manifest),
                                                     "annotations": {"io.containerd.image.name": name}}]})
    with tarfile.open(out, "w") as tar:
        def add(path, data):
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
        add("oci-layout", b'{"imageLayoutVersion":"1.0.0"}')
        add("index.json", index)
        for data in (image, manifest):
            add("blobs/sha256/" + digest(data)[7:], data)
        for path, each in layers:
            tar.add(path, "blobs/sha256/" + each[7:])

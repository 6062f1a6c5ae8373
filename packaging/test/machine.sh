#!/bin/sh
# Boots a root folder with systemd as process 1, in namespaces of its own: a machine for tests. Needs root.
#
# usage: machine.sh ROOT     runs until it is killed, and everything in it dies with it
set -eu

root=$(realpath -- "$1")

if [ "${2:-}" != inside ]; then
    # Control groups of its own, so that what it does to its groups is nobody else's business.
    for group in /sys/fs/cgroup /sys/fs/cgroup/*; do
        [ -e "$group/cgroup.procs" ] || continue
        mkdir -p "$group/ledgerd-test-$$" 2>/dev/null || continue
        echo $$ >"$group/ledgerd-test-$$/cgroup.procs" 2>/dev/null || true
    done
    exec unshare --fork --kill-child --pid --mount --uts --ipc --net --cgroup "$0" "$root" inside
fi

ip link set lo up
hostname ledgerd-test
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
    : >"$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
# Version 2 is mounted anew, so that the machine sees its own groups only; version 1 can't be shared out so.
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
else
    mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
fi
cd "$root"
mkdir -p mnt
pivot_root . mnt
umount -l /mnt
# systemd expects so: credentials are mounted in one namespace and must show up in the others.
mount --make-rshared /
exec env -i container=ledgerd-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=journal

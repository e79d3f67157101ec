#!/bin/busybox sh
# SPDX-License-Identifier: MIT
# Runs what the host has put into the shared folder, and switches the machine off.
export PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin HOME=/root LANG=C.UTF-8
mkdir -p /dev/pts /dev/shm /share
mount -t devpts pts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t tmpfs run /run
mount -t tmpfs -o size=8G tmp /tmp
mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288 share /share
busybox ifconfig lo 127.0.0.1 up
ln -s /proc/self/fd /dev/fd
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${stream%:*}" "/dev/${stream#*:}"; done
bash /share/job.sh "$(cat /share/names)" >/share/log 2>&1
echo "ended with $?" >>/share/log
sync
busybox poweroff -f

#!/bin/busybox sh
# SPDX-License-Identifier: MIT
# First program of the machine: loads the drivers that Debian builds as modules, then goes over to the root disk.
b=/bin/busybox
$b mkdir -p /proc /sys /dev /new
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for module in $($b cat /modules/order); do $b insmod "/modules/$module.ko"; done
for _ in 1 2 3 4 5 6 7 8 9 10; do [ ! -b /dev/vda ] || break; $b sleep 1; done
$b mount -t ext4 -o noatime /dev/vda /new || exec $b sh
for folder in proc sys dev; do $b mount --move /$folder /new/$folder; done
exec $b switch_root /new /second.sh

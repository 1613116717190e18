#!/bin/sh
# Opens a fresh copy of start.gnumeric in Gnumeric, with a home of its own below work/. The copy, work/sheet.gnumeric, is
# what Ctrl+S writes: as plain XML, since compression is switched off there.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work="$here/work"
rm -rf "$work"
mkdir -p "$work/config/glib-2.0/settings"
printf '[org/gnome/gnumeric/core/xml]\ncompression-level=0\n' > "$work/config/glib-2.0/settings/keyfile"
cp "$here/start.gnumeric" "$work/sheet.gnumeric"
HOME="$work" XDG_CONFIG_HOME="$work/config" GSETTINGS_BACKEND=keyfile LANG=C.UTF-8 \
    exec gnumeric --geometry=1260x660+0+0 "$work/sheet.gnumeric"

#!/bin/sh
# Opens a fresh copy of start.xpm in mtPaint, with a home of its own below work/. The copy, work/picture.xpm, is what
# Ctrl+S writes: XPM is text, so a contract can read it.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work="$here/work"
rm -rf "$work"
mkdir -p "$work/home"
cp "$here/start.xpm" "$work/picture.xpm"
HOME="$work/home" XDG_CONFIG_HOME="$work/home/.config" LANG=C.UTF-8 exec mtpaint "$work/picture.xpm"

#!/bin/sh
# Starts LMMS on a fresh copy of start.mmp, with a home of its own below work/, so that no first-run dialog comes up and
# nothing of the user's own settings is read or changed. The copy, work/song.mmp, is what Ctrl+S writes.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work="$here/work"
home="$work/home"
rm -rf "$work"
for folder in projects presets samples/gig samples/soundfonts plugins/ladspa plugins/vst; do
    mkdir -p "$home/lmms/$folder"
done
mkdir -m 700 "$work/runtime"
cat > "$home/.lmmsrc.xml" <<CONFIG
<?xml version="1.0"?>
<!DOCTYPE lmms-config-file>
<lmms version="1.2.2" configversion="1">
 <app configured="1" nomsgaftersetup="1" nommpz="1" disablebackup="1" language="en"/>
 <paths workingdir="$home/lmms/"/>
 <mixer audiodev="Dummy (no sound output)" mididev="Dummy (no MIDI support)"/>
 <tooltips disabled="1"/>
 <ui enableautosave="0"/>
</lmms>
CONFIG
cp "$here/start.mmp" "$work/song.mmp"
# LMMS refuses to run as root unless it is told to.
root=
if [ "$(id -u)" = 0 ]; then root=--allowroot; fi
HOME=$home XDG_RUNTIME_DIR="$work/runtime" LANG=C.UTF-8 \
    exec lmms $root --geometry 1280x700+0+0 "$work/song.mmp"

#!/bin/sh
# What Claude Code starts as its status line, once that is connected (C2). Memory Keeper is told what Claude Code says, in the background;
# the user's own status line ($1) gets the same input at once and is shown as it is, whether or not ours can run. Uses nothing but the
# shell itself.
here=${0%/*}
[ $# = 0 ] && exec /bin/sh "$here/run.sh" status-line

newline='
'
told=
while IFS= read -r line; do told=$told$line$newline; done
told=$told$line
printf %s "$told" 2>/dev/null | /bin/sh "$here/run.sh" status-line >/dev/null 2>&1 &
# A status line need not read its input.
printf %s "$told" 2>/dev/null | /bin/sh -c "$1"

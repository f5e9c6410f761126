#!/bin/sh
# What Claude Code starts as its status line, once that is connected (C2). Memory Keeper gets the input in the background; the user's own
# status line ($1) gets it at once and is shown as it is, whether or not ours can run. Uses nothing but the shell itself.
here=${0%/*}
[ $# = 0 ] && exec /bin/sh "$here/run.sh" status-line

newline='
'
input=
while IFS= read -r line; do input=$input$line$newline; done
input=$input$line
printf %s "$input" 2>/dev/null | /bin/sh "$here/run.sh" status-line >/dev/null 2>&1 &
# A status line need not read its input.
printf %s "$input" 2>/dev/null | /bin/sh -c "$1"

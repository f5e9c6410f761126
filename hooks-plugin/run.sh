#!/bin/sh
# Starts the hook program with whatever can run it (G8): node on PATH, node where its installers put it, or the runtime that the Memory
# Keeper app brings along. Where there is none, the user is told once a session; no hook ever fails. Uses nothing but the shell itself:
# there may be nothing else on PATH.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
task=$1
# Started without a task by nobody who knows this script: what stands in stdin is not even read.
[ -n "$task" ] || exit 0
# What the mod has given this session already (register.js) needs no program. The variable stands only while the hooks of that event run, and
# names the session: a Claude Code that is started inside of this one has another.
case $task in
prompt) given=$MEMORY_KEEPER_PROMPT_GIVEN ;;
start | start-[2-4]) given=$MEMORY_KEEPER_START_GIVEN ;;
*) given= ;;
esac
[ -n "$given" ] && [ "$given" = "$CLAUDE_CODE_SESSION_ID" ] && exit 0
# The program for the event at once: to have hook.cjs choose it would cost the loading of one more file.
case $task in
prompt) program=$here/prompt.cjs ;;
start | start-[2-4]) program=$here/session-start.cjs ;;
reply | tool | compact | end) program=$here/keep.cjs ;;
status-line) program=$here/status-line.cjs ;;
mcp) program=$here/mcp.cjs ;;
cli)
  program=$here/../cli/start.cjs
  shift
  ;;
*) program=$here/hook.cjs ;;
esac
claude="${CLAUDE_CONFIG_DIR:-$HOME/.claude}"
ours="${MEMORY_KEEPER_HOME:-$claude/memory-keeper}"

# Texts for the user that need no node.
tell_at_start() {
  [ "$task" = start ] || return
  case ${MEMORY_KEEPER_LANG:-${LC_ALL:-${LC_MESSAGES:-$LANG}}} in
  ko*) echo "{\"systemMessage\":\"[MEMORY KEEPER] $2\"}" ;;
  *) echo "{\"systemMessage\":\"[MEMORY KEEPER] $1\"}" ;;
  esac
}

# The oldest Claude Code that is supported (T7); the build writes it here from core/claude/sessions/claude-version.ts.
oldest=@OLDEST_CLAUDE_CODE@
# Takes 2.1.139 and 2-1-139; what is no version is not older.
is_older() {
  case $1 in '' | *[!0-9.-]*) return 1 ;; esac
  IFS=.-
  set -- $1 $oldest
  unset IFS
  [ $# = 6 ] || return 1
  if [ "$1" -ne "$4" ]; then [ "$1" -lt "$4" ] && return 0 || return 1; fi
  if [ "$2" -ne "$5" ]; then [ "$2" -lt "$5" ] && return 0 || return 1; fi
  [ "$3" -lt "$6" ]
}
# Claude Code names itself in AI_AGENT, unless that is set already: by the user, or by a Claude Code around this one. So an old version there
# is looked up in Claude Code's own list. 2.1.110 and its like know neither this variable nor CLAUDE_PID. Where the version cannot be known,
# the hook goes on. The same rule for Windows is in core/usecases/hooks/claude-process.ts.
is_too_old() {
  version=
  case ${AI_AGENT-unset} in
  unset) [ -n "$CLAUDE_PID" ] || [ -z "$CLAUDE_PLUGIN_ROOT" ] || return 0 ;;
  claude-code_*_harness)
    version=${AI_AGENT#claude-code_}
    version=${version%_harness}
    is_older "$version" || return 1
    ;;
  esac
  if [ -f "$claude/sessions/$PPID.json" ] && [ -r "$claude/sessions/$PPID.json" ]; then
    IFS= read -r line <"$claude/sessions/$PPID.json"
    case $line in
    *'"version":"'*)
      version=${line#*'"version":"'}
      version=${version%%'"'*}
      ;;
    esac
  fi
  is_older "$version"
}
case $task in
cli | mod | compaction | status-line | runtime | mcp) ;;
*)
  if is_too_old; then
    tell_at_start "Nothing is kept: this Claude Code is too old. Update it to $oldest or later: claude update" \
      "대화가 저장되지 않습니다. Claude Code가 너무 오래된 버전입니다. $oldest 이상으로 업데이트하세요: claude update"
    exit 0
  fi
  ;;
esac

# stop.cjs reads the settings and decides what is done at a reply's end (core/usecases/hooks/enforcement.ts). The user waits for it, and by
# default it does nothing: so node is not even started while no settings file contains one of the two words that could make it act. This
# is a search for text and no more: a word that is found only means that stop.cjs is asked.
# In the same way the third and fourth page of a briefing need a setting that asks for so long a one.
mentions() {
  [ -f "$1" ] && [ -r "$1" ] || return 1
  while IFS= read -r line || [ -n "$line" ]; do
    case $task$line in enforce*'"enforcement"'* | enforce*'"quietStop"'* | start*'"maxChars"'*) return 0 ;; esac
  done <"$1"
  return 1
}
is_wanted() {
  for settings in "$ours/config.json" "$ours"/projects/*/memory/config.json; do
    mentions "$settings" && return 0
  done
  return 1
}
case $task in
enforce | start-[34]) is_wanted || exit 0 ;;
esac

# What was made ready while nobody waited (core/usecases/hooks/ready-answers.ts) is printed without node, as long as all that it was made from
# is as it was, to the nanosecond. In any doubt the program answers. Nothing in such a file is run: it is compared and printed.
give_ready() {
  IFS= read -r line <&3
  around="1|$PPID|$HOME|$CLAUDE_CONFIG_DIR|$MEMORY_KEEPER_HOME|$CLAUDE_PROJECT_DIR|$MEMORY_KEEPER_LANG|$LC_ALL|$LC_MESSAGES|$LANG"
  [ "$line" = "$around|$CLAUDE_CODE_DISABLE_1M_CONTEXT|$TMPDIR|$TEMP|$TMP" ] || return
  IFS= read -r how <&3
  IFS= read -r until <&3
  set --
  while IFS= read -r line <&3 && [ -n "$line" ]; do set -- "$@" "$line"; done
  states=
  while IFS= read -r line <&3 && [ -n "$line" ]; do
    states="$states$line
"
  done
  # What a program printed comes without its last newline.
  [ -n "$states" ] && [ "$(stat -L "${how%% *}" "${how#* }" "$@")" = "${states%?}" ] || return
  [ -z "$until" ] || [ "$(date +%s)" -lt "$until" ] || return
  if [ "$task" = prompt ]; then
    # The beginning is enough, however long the prompt is. Claude Code begins a turn by itself when a background task ends.
    input=$(dd bs=8192 count=1)
    [ -n "$input" ] || return
    case $input in *'"prompt":"<task-notification>'*) exit 0 ;; esac
  else
    input=
    while IFS= read -r line || [ -n "$line" ]; do input=$input$line; done
    case $input in
    *'"source":"clear"'*) ;;
    *)
      # For the program.
      exec <<INPUT
$input
INPUT
      return
      ;;
    esac
  fi
  cat <&3
  exit 0
}
case $task in
prompt) whose=$CLAUDE_CODE_SESSION_ID ;;
start | start-[2-4]) whose=$PPID ;;
*) whose= ;;
esac
# A number from a Claude Code around this one is never believed.
case $whose in
'' | *[!A-Za-z0-9_-]*) ;;
*)
  ready=$ours/prepared/$whose.$task.ready
  if [ "$CLAUDE_PID" = "$PPID" ] && [ -f "$ready" ] && [ ! -L "$ready" ] && command -v cat >/dev/null 2>&1; then
    give_ready 2>/dev/null 3<"$ready"
  fi
  ;;
esac

# What the plugin itself asks for needs no question to the user. The rule is that of core/usecases/hooks/permission.ts, which Windows
# runs; here the shell applies it, because the user waits and node would take longer to start (a test compares the two). Quotes inside
# a value are escaped, so no value can pass for these fields.
is_ours() {
  # One command only, whatever else the tool was given.
  case $1 in *'"command":'*'"command":'*) return 1 ;; esac
  case $1 in
  *'"command":"memory-keeper memory compress"'* | *'"command":"memory-keeper memory facts --ask"'*) return 0 ;;
  *'"command":"memory-keeper memory delta extract"'*) return 0 ;;
  *'"agent_type":"memory-keeper:delta-summarizer"'* | *'"agent_type":"memory-keeper:l2-summarizer"'*) ;;
  *) return 1 ;;
  esac
  # One file only, and one that this session's agent was sent to.
  case $1 in *'"file_path":'*'"file_path":'*) return 1 ;; esac
  case $1 in *'"tool_name":"Read"'*) ;; *) return 1 ;; esac
  session=${1#*'"session_id":"'}
  session=${session%%'"'*}
  case $session in '' | *[!A-Za-z0-9_-]*) return 1 ;; esac
  [ -f "$ours/agent-files/$session.txt" ] && [ -r "$ours/agent-files/$session.txt" ] || return 1
  while IFS= read -r path; do
    case $1 in *"\"file_path\":\"$path\""*) ;; *) continue ;; esac
    is_real_file "$path" && return 0
  done <"$ours/agent-files/$session.txt"
  return 1
}
# A regular file, and no part of its path is a link.
is_real_file() {
  folder=${1%/*}
  [ ! -L "$1" ] && [ -f "$1" ] && cd -P -- "$folder" 2>/dev/null && [ "$PWD" = "$folder" ]
}
# Neither does a look into the project's own memory (K8). One name only: a tool's arguments may have such a field, too.
is_looking() {
  case $1 in
  *'"tool_name":'*'"tool_name":'*) return 1 ;;
  *'"tool_name":"mcp__plugin_memory-keeper_memory__'*) ;;
  *) return 1 ;;
  esac
  tool=${1#*'"tool_name":"mcp__plugin_memory-keeper_memory__'}
  case ${tool%%'"'*} in search | get | timeline) return 0 ;; *) return 1 ;; esac
}
if [ "$task" = look ]; then
  IFS= read -r request
  is_looking "$request" && echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
  exit 0
fi
if [ "$task" = permit ]; then
  IFS= read -r request
  is_ours "$request" && echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'
  exit 0
fi

# The program does not see who started this shell: for a mod, that is Claude Code itself.
MEMORY_KEEPER_PARENT=$PPID
# Half of a hook's time would go into compiling it, so node keeps the compiled program (Node 22 and later), in the user's own folder: in
# a shared one, others could put their code there. To be told by a variable costs less than to load what `node:module` needs.
NODE_COMPILE_CACHE="$ours/compiled"
umask 077
export MEMORY_KEEPER_PARENT NODE_COMPILE_CACHE

# Ends this script, unless what is tried cannot run the program: a shim that stands for no version, a Node.js that is too old. Not by
# `exec`, which would be a quarter of a millisecond faster: the node on PATH is another one in another project.
try() {
  runtime=$1
  shift
  if [ "$task" = mcp ]; then
    # It runs as long as the session, so no shell may stay around it: here the version is asked for first, in a few milliseconds.
    case $("$runtime" --version 2>/dev/null) in
    v[0-9].* | v1[0-9].* | v20.[0-9].* | v20.1[0-8].*) return ;;
    v[0-9]*) exec "$runtime" "$program" ;;
    esac
    return
  fi
  if [ "$task" = cli ]; then
    "$runtime" "$program" "$@"
    code=$?
    case $code in 69 | 126 | 127) return ;; *) exit $code ;; esac
  fi
  "$runtime" "$program" "$@" 2>/dev/null
  code=$?
  # What was killed has read its input already.
  if [ $code = 0 ] || [ $code -gt 128 ]; then exit 0; fi
}

command -v node >/dev/null 2>&1 && try node "$@"

# Of what version managers have, the newest.
newest=
highest=17
for node in "$HOME"/.nvm/versions/node/*/bin/node "$HOME"/.local/share/fnm/node-versions/*/installation/bin/node \
  "$HOME/Library/Application Support/fnm/node-versions"/*/installation/bin/node "$HOME"/.volta/tools/image/node/*/bin/node \
  "$HOME"/.local/share/mise/installs/node/*/bin/node "$HOME"/.asdf/installs/nodejs/*/bin/node "$HOME"/.nodenv/versions/*/bin/node; do
  [ -x "$node" ] || continue
  version=${node%/bin/node}
  version=${version%/installation}
  version=${version##*/}
  version=${version#v}
  major=${version%%.*}
  case $major in '' | *[!0-9]*) continue ;; esac
  if [ "$major" -gt "$highest" ]; then
    highest=$major
    newest=$node
  fi
done
[ -n "$newest" ] && try "$newest" "$@"

for node in "$HOME"/.volta/bin/node "$HOME"/.local/share/mise/shims/node "$HOME"/.asdf/shims/node "$HOME"/.local/bin/node \
  /opt/homebrew/bin/node /usr/local/bin/node /usr/bin/node; do
  [ -x "$node" ] && try "$node" "$@"
done

# The app leaves a script here that starts its own program, which is told to be Node.js.
ELECTRON_RUN_AS_NODE=1
export ELECTRON_RUN_AS_NODE
[ -x "$ours/runtime" ] && try "$ours/runtime" "$@"
# bun reads settings, variables and code to run first from the folder it is started in, which is the project's (T1): so it starts in ours.
# Commands need to know that folder and do without it.
if [ "$task" != cli ] && [ "$task" != mcp ] && command -v bun >/dev/null 2>&1 && cd "$here"; then
  program=./${program##*/}
  try bun "$@"
fi

if [ "$task" = cli ] || [ "$task" = mcp ]; then
  echo 'memory-keeper: there is no Node.js (20 or later) to run with' >&2
  exit 1
fi
tell_at_start 'Nothing is kept: there is no Node.js (18 or later) to run with. Install Node.js or the Memory Keeper app.' \
  '대화가 저장되지 않습니다. 실행에 필요한 Node.js(18 이상)가 없습니다. Node.js나 Memory Keeper 앱을 설치하세요.'
exit 0

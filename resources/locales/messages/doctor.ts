/**
 * The doctor: of each check its title (what is looked at) and why it matters, what was found, and
 * what to do about it. A fix has a label, a preview and what it did.
 */
export const DOCTOR = {
  'doctor.unknown': {
    en: "Couldn't check this: {reason}",
    ko: '확인하지 못했습니다: {reason}',
  },
  'doctor.tookTooLong': {
    en: 'It took too long',
    ko: '시간이 너무 오래 걸렸습니다',
  },
  'doctor.seePermissions': {
    en: 'See "File permissions"',
    ko: '‘파일 권한’ 항목을 보세요',
  },
  'doctor.runAgain': {
    en: 'Run the doctor again. If the problem stays, please report it.',
    ko: '다시 확인해 보고, 계속되면 알려 주세요.',
  },
  'doctor.noSuchFix': {
    en: 'There is no fix "{id}". Available: {ids:list}',
    ko: '"{id}" 해결 방법은 없습니다. 가능한 것: {ids:list}',
  },
  'doctor.needsClaude': {
    en: "Can't be checked without Claude Code",
    ko: 'Claude Code가 없어 확인할 수 없습니다',
  },
  'doctor.andMore': { en: 'and {count} more', ko: '외 {count}건' },
  'doctor.inProject': { en: '{project}: {reason}', ko: '{project}: {reason}' },
  'doctor.session': { en: '{project} (process {pid})', ko: '{project}(프로세스 {pid})' },

  'doctor.claudeTitle': { en: 'Claude Code', ko: 'Claude Code' },
  'doctor.claudeWhy': {
    en: 'Memory Keeper works with the sessions of Claude Code, and the `claude` command installs the plugin.',
    ko: 'Memory Keeper는 Claude Code의 세션과 함께 동작하며, 플러그인은 `claude` 명령으로 설치합니다.',
  },
  'doctor.claudeTooOldMend': {
    en: 'Update Claude Code: `claude update`. Until then, nothing is kept in its sessions.',
    ko: 'Claude Code를 업데이트하세요: `claude update`. 그때까지는 세션의 내용이 저장되지 않습니다.',
  },
  'doctor.claudeFound': {
    en: 'Claude Code {version} at {path}',
    ko: 'Claude Code {version}, 위치: {path}',
  },

  'doctor.pluginTitle': { en: 'Plugin', ko: '플러그인' },
  'doctor.pluginWhy': {
    en: 'Without the plugin, conversations are not saved and nothing is restored after a clear.',
    ko: '플러그인이 없으면 대화가 저장되지 않고, 비운 뒤에도 복원되지 않습니다.',
  },
  'doctor.pluginMissing': {
    en: 'The plugin is not installed',
    ko: '플러그인이 설치되어 있지 않습니다',
  },
  'doctor.pluginDamaged': {
    en: "Plugin {version} is installed but can't be used: {reason}",
    ko: '플러그인 {version:이/가} 설치되어 있지만 쓸 수 없습니다: {reason}',
  },
  'doctor.pluginOff': {
    en: 'Plugin {version} is installed but turned off',
    ko: '플러그인 {version:이/가} 설치되어 있지만 꺼져 있습니다',
  },
  'doctor.pluginOutdated': {
    en: 'Plugin {version} is installed; version {carried} is available',
    ko: '플러그인 {version:이/가} 설치되어 있으며 {carried} 버전을 쓸 수 있습니다',
  },
  'doctor.pluginFound': {
    en: 'Plugin {version} is installed, turned on and up to date',
    ko: '플러그인 {version:이/가} 설치되어 켜져 있고 최신 버전입니다',
  },
  'doctor.pluginInstall': { en: 'Install the plugin', ko: '플러그인 설치' },
  'doctor.pluginTurnOn': { en: 'Turn the plugin on', ko: '플러그인 켜기' },
  'doctor.pluginUpdate': { en: 'Update the plugin', ko: '플러그인 업데이트' },
  'doctor.pluginRepair': { en: 'Repair the plugin', ko: '플러그인 복구' },
  'doctor.pluginInstallPreview': {
    en: '`claude plugin` installs version {carried} for all projects. Only Claude Code changes its own settings.',
    ko: '`claude plugin` 명령이 모든 프로젝트에서 쓰도록 {carried} 버전을 설치합니다. Claude Code의 설정은 Claude Code만 바꿉니다.',
  },
  'doctor.pluginTurnOnPreview': {
    en: '`claude plugin` turns the plugin on. Only Claude Code changes its own settings.',
    ko: '`claude plugin` 명령이 플러그인을 켭니다. Claude Code의 설정은 Claude Code만 바꿉니다.',
  },
  'doctor.pluginUpdatePreview': {
    en: '`claude plugin` replaces version {version} with {carried}. Only Claude Code changes its own settings.',
    ko: '`claude plugin` 명령이 {version} 버전을 {carried} 버전으로 바꿉니다. Claude Code의 설정은 Claude Code만 바꿉니다.',
  },
  'doctor.pluginRepairPreview': {
    en: '`claude plugin` installs version {carried} again and turns it on. Only Claude Code changes its own settings.',
    ko: '`claude plugin` 명령이 {carried} 버전을 다시 설치하고 켭니다. Claude Code의 설정은 Claude Code만 바꿉니다.',
  },
  'doctor.pluginInstalled': {
    en: 'Plugin {version} installed',
    ko: '플러그인 {version:을/를} 설치했습니다',
  },
  'doctor.pluginUpdated': {
    en: 'Plugin updated to {version}',
    ko: '플러그인을 {version} 버전으로 업데이트했습니다',
  },
  'doctor.pluginRepaired': {
    en: 'Plugin {version} repaired',
    ko: '플러그인 {version:을/를} 복구했습니다',
  },
  'doctor.pluginStillWrong': {
    en: 'Done, but there is still a problem with the plugin: {reason}',
    ko: '작업을 마쳤지만 플러그인에 아직 문제가 있습니다: {reason}',
  },

  'doctor.hooksTitle': { en: 'Hooks', ko: '훅' },
  'doctor.hooksWhy': {
    en: 'Hooks save the conversation. A session that started before the plugin was installed has none.',
    ko: '훅이 대화를 저장합니다. 플러그인을 설치하기 전에 시작한 세션에는 훅이 없습니다.',
  },
  'doctor.hooksNeverSeen': { en: 'Hooks have not run yet.', ko: '훅이 아직 동작한 적이 없습니다.' },
  'doctor.hooksLastSeen': { en: 'Hooks last ran {at:date}.', ko: '훅의 마지막 동작: {at:date}.' },
  'doctor.hooksDisabled': {
    en: "`disableAllHooks` in Claude Code's settings.json turns all hooks off. {seen}",
    ko: 'Claude Code의 settings.json에 있는 `disableAllHooks`가 모든 훅을 끕니다. {seen}',
  },
  'doctor.hooksDisabledMend': {
    en: 'Unless you want that, remove `disableAllHooks` from settings.json',
    ko: '의도한 것이 아니라면 settings.json에서 `disableAllHooks`를 지우세요',
  },
  'doctor.hooksSilent': {
    en: 'The session {session} started with the plugin installed, but none of its hooks ran. {seen}',
    ko: '세션 {session:은/는} 플러그인이 설치된 뒤 시작했지만 훅이 동작하지 않았습니다. {seen}',
  },
  'doctor.hooksSilentMend': {
    en: 'See "Node.js for hooks" and "Errors in the logs", and type /hooks in that session to see whether the hooks are listed',
    ko: '‘훅용 Node.js’와 ‘로그의 오류’를 확인하고, 그 세션에서 /hooks를 입력해 훅이 등록되어 있는지 확인하세요',
  },
  'doctor.hooksWithout': {
    en: 'Running without the plugin: {sessions:list}. {seen}',
    ko: '플러그인 없이 실행 중: {sessions:list}. {seen}',
  },
  'doctor.hooksRestart': {
    en: 'Exit these sessions and start them again with `claude --continue`',
    ko: '이 세션을 끝내고 `claude --continue`로 다시 시작하세요',
  },
  'doctor.hooksInstall': { en: 'Install the plugin', ko: '플러그인을 설치하세요' },
  'doctor.hooksStart': {
    en: 'Start a Claude Code session',
    ko: 'Claude Code 세션을 시작하세요',
  },

  'doctor.modsTitle': { en: 'Mods', ko: 'mod' },
  'doctor.modsWhy': {
    en: 'With mods, the plugin knows exact figures and clears sessions without pressing a key.',
    ko: 'mod가 있으면 플러그인이 정확한 수치를 알고, 키 입력 없이 세션을 비웁니다.',
  },
  'doctor.modsFound': {
    en: 'Claude Code {version} supports mods',
    ko: 'Claude Code {version}에서 mod를 쓸 수 있습니다',
  },
  'doctor.modsMissing': {
    en: 'Claude Code {version} does not support mods. Sessions are cleared through their terminal or the keyboard instead.',
    ko: 'Claude Code {version}에서는 mod를 쓸 수 없습니다. 대신 터미널이나 키보드로 세션을 비웁니다.',
  },
  'doctor.modsMend': {
    en: 'Update Claude Code to 2.1.287 or later: `claude update`',
    ko: 'Claude Code를 2.1.287 이상으로 업데이트하세요: `claude update`',
  },

  'doctor.otherPluginsTitle': { en: 'Other memory plugins', ko: '다른 메모리 플러그인' },
  'doctor.otherPluginsWhy': {
    en: 'Two plugins that restore memory take twice the room in the context and may contradict each other.',
    ko: '두 플러그인이 모두 세션에 메모리를 복원하면 컨텍스트를 두 배로 쓰고 내용이 서로 어긋날 수 있습니다.',
  },
  'doctor.otherPluginsNone': {
    en: 'No other memory plugin is turned on',
    ko: '켜져 있는 다른 메모리 플러그인이 없습니다',
  },
  'doctor.otherPluginsFound': {
    en: 'Also turned on: {ids:list}',
    ko: '함께 켜져 있음: {ids:list}',
  },
  'doctor.otherPluginsMend': {
    en: 'If you want only one, turn the other off yourself: `claude plugin disable {id}`',
    ko: '하나만 쓰려면 다른 것을 직접 끄세요: `claude plugin disable {id}`',
  },

  'doctor.nodeTitle': { en: 'Node.js for hooks', ko: '훅용 Node.js' },
  'doctor.nodeWhy': {
    en: 'Hooks need Node.js 18 or later. Without it, conversations are not saved.',
    ko: '훅은 Node.js 18 이상에서 실행됩니다. Node.js가 없으면 대화가 저장되지 않습니다.',
  },
  'doctor.nodeFound': {
    en: 'Hooks run with Node.js {version} at {path}',
    ko: '훅은 Node.js {version}({path})으로 실행됩니다',
  },
  'doctor.nodeOfApp': {
    en: 'Hooks run with the Node.js {version} of the app, at {path}',
    ko: '훅은 앱에 들어 있는 Node.js {version}({path})으로 실행됩니다',
  },
  'doctor.nodeOnPath': {
    en: 'Node.js {version} is on PATH',
    ko: 'PATH에 Node.js {version} 버전이 있습니다',
  },
  'doctor.nodeMissing': {
    en: 'No Node.js 18 or later was found: not on PATH, not with a version manager, and none from the app',
    ko: 'Node.js(18 이상)가 없습니다. PATH에도, 버전 관리자의 위치에도 없고 앱이 넣어 둔 것도 없습니다',
  },
  'doctor.nodeOfAppGone': {
    en: 'No Node.js 18 or later was found: not on PATH, not with a version manager, and the one from the app at {path} is gone or does not run',
    ko: 'Node.js(18 이상)가 없습니다. PATH에도, 버전 관리자의 위치에도 없고 앱이 넣어 둔 {path:은/는} 사라졌거나 실행되지 않습니다',
  },
  'doctor.nodeMend': {
    en: 'Install Node.js (https://nodejs.org), or start the Memory Keeper app and install the plugin there: the app includes Node.js',
    ko: 'Node.js를 설치하거나(https://nodejs.org) Memory Keeper 앱을 실행해 거기에서 플러그인을 설치하세요. 앱에 Node.js가 들어 있습니다',
  },

  'doctor.permissionsTitle': { en: 'File permissions', ko: '파일 권한' },
  'doctor.permissionsWhy': {
    en: 'Only you should be able to read your conversations, and Memory Keeper must be able to write them.',
    ko: '대화는 본인만 읽을 수 있어야 하고, Memory Keeper가 쓸 수 있어야 합니다.',
  },
  'doctor.permissionsFound': {
    en: 'Only you can read and write what is saved',
    ko: '저장된 내용은 본인만 읽고 쓸 수 있습니다',
  },
  'doctor.permissionsDenied': {
    en: "Can't be read or written: {files:list}",
    ko: '읽거나 쓸 수 없음: {files:list}',
  },
  'doctor.permissionsWritable': {
    en: 'Other users of this computer can change: {files:list}',
    ko: '이 컴퓨터의 다른 사용자가 바꿀 수 있음: {files:list}',
  },
  'doctor.permissionsReadable': {
    en: 'Other users of this computer can read: {files:list}',
    ko: '이 컴퓨터의 다른 사용자가 읽을 수 있음: {files:list}',
  },
  'doctor.permissionsForeign': {
    en: 'These belong to another user: {files:list}. Claude Code may have been run with sudo.',
    ko: '다른 사용자의 파일입니다: {files:list}. Claude Code를 sudo로 실행한 적이 있을 수 있습니다.',
  },
  'doctor.permissionsForeignMend': {
    en: 'Take them back: `sudo chown -R "$USER" "{path}"`',
    ko: '소유자를 본인으로 바꾸세요: `sudo chown -R "$USER" "{path}"`',
  },
  'doctor.permissionsFolder': {
    en: "{folder} can't be read and written, so nothing can be saved",
    ko: '{folder:을/를} 읽고 쓸 수 없어 아무것도 저장할 수 없습니다',
  },
  'doctor.permissionsFolderMode': {
    en: 'Give yourself access: `chmod u+rwx "{folder}"`',
    ko: '본인에게 권한을 주세요: `chmod u+rwx "{folder}"`',
  },
  'doctor.permissionsFolderOwner': {
    en: 'Make it yours: `sudo chown "$USER" "{folder}"`',
    ko: '소유자를 본인으로 바꾸세요: `sudo chown "$USER" "{folder}"`',
  },
  'doctor.permissionsFix': { en: 'Make them private', ko: '본인만 쓰도록 권한 바꾸기' },
  'doctor.permissionsChange': { en: '{path}: {from} → {to}', ko: '{path}: {from} → {to}' },
  'doctor.permissionsNoChange': {
    en: 'Nothing had to be changed',
    ko: '바꿀 것이 없었습니다',
  },
  'doctor.fileMode': { en: '{path} ({mode})', ko: '{path} ({mode})' },

  'doctor.claudeSettingsTitle': { en: 'Claude Code settings', ko: 'Claude Code 설정' },
  'doctor.claudeSettingsWhy': {
    en: "Claude Code itself turns the plugin on in settings.json. It can't change a file that it can't read.",
    ko: '플러그인은 Claude Code가 직접 settings.json에서 켭니다. 해석할 수 없는 파일은 바꿀 수 없습니다.',
  },
  'doctor.claudeSettingsFound': {
    en: 'settings.json can be read and changed',
    ko: 'settings.json을 읽고 바꿀 수 있습니다',
  },
  'doctor.claudeSettingsMend': {
    en: 'Fix it in an editor or give yourself access to it, then run the doctor again',
    ko: '편집기에서 고치거나 본인에게 권한을 준 뒤 다시 확인하세요',
  },

  'doctor.settingsTitle': { en: 'Memory Keeper settings', ko: 'Memory Keeper 설정' },
  'doctor.settingsWhy': {
    en: 'An invalid setting is ignored, and what applies instead may not be what you want.',
    ko: '올바르지 않은 설정은 쓰지 않으며, 대신 적용되는 값이 원하는 값이 아닐 수 있습니다.',
  },
  'doctor.settingsFound': { en: 'All settings are valid', ko: '모든 설정이 올바릅니다' },
  'doctor.settingsMend': {
    en: 'Set it again with `memory-keeper config`, or edit the file',
    ko: '`memory-keeper config`로 다시 설정하거나 파일을 고치세요',
  },

  'doctor.memoryTitle': { en: 'Memory files', ko: '메모리 파일' },
  'doctor.memoryWhy': {
    en: "A file that can't be read is not restored into new sessions. It is never deleted.",
    ko: '읽을 수 없는 파일은 새 세션에 복원되지 않습니다. 삭제하지는 않습니다.',
  },
  'doctor.memoryNone': {
    en: 'No project has a memory yet',
    ko: '아직 메모리가 있는 프로젝트가 없습니다',
  },
  'doctor.memoryFound': {
    en: 'The memory of {count} {count:project|projects} can be read',
    ko: '프로젝트 {count}개의 메모리를 읽을 수 있습니다',
  },
  'doctor.memoryRebuild': {
    en: 'In that project, `memory-keeper memory rebuild` recreates facts and concepts from the journal',
    ko: '그 프로젝트에서 `memory-keeper memory rebuild`를 실행하면 기록에서 사실과 개념을 다시 만듭니다',
  },
  'doctor.memorySetAside': {
    en: "Files that couldn't be read were set aside: {files:list}",
    ko: '해석할 수 없는 파일을 따로 보관했습니다: {files:list}',
  },
  'doctor.memorySetAsideMend': {
    en: 'If nothing in them is missing from your memory, you can delete them',
    ko: '빠진 내용이 있는지 확인한 뒤 삭제해도 됩니다',
  },

  'doctor.oldMemoryTitle': { en: 'Memory of version 0.1.0', ko: '0.1.0 버전의 메모리' },
  'doctor.oldMemoryWhy': {
    en: 'Version 0.1.0 kept memory inside the projects. It was moved; the old files stay as a backup until you delete them.',
    ko: '0.1.0 버전은 메모리를 프로젝트 안에 두었습니다. 메모리는 옮겨졌고, 예전 파일은 직접 지우기 전까지 백업으로 남습니다.',
  },
  'doctor.oldMemoryNone': {
    en: 'No old files in your projects',
    ko: '프로젝트에 예전 파일이 없습니다',
  },
  'doctor.oldMemoryMoved': {
    en: 'Old memory in {path}: moved on {day} ({count} {count:session|sessions}). Delete it when you like',
    ko: '{path}의 예전 메모리: {day}에 옮겼습니다(세션 {count}개). 언제든 지워도 됩니다',
  },
  'doctor.oldMemoryPartMoved': {
    en: 'Old memory in {path}: {count} {count:session|sessions} moved on {day}. Not taken over yet: {others} {others:session|sessions}, {edits} {edits:edit|edits}, and its rules and settings, if any',
    ko: '{path}의 예전 메모리: {day}에 세션 {count}개를 옮겼습니다. 아직 가져오지 않은 것: 세션 {others}개, 수정 {edits}개, 그리고 규칙과 설정이 있다면 그것도',
  },
  'doctor.oldMemoryRestRefused': {
    en: 'Old memory in {path}: {count} {count:session|sessions} moved on {day}. You said that the rest is not yours',
    ko: '{path}의 예전 메모리: {day}에 세션 {count}개를 옮겼습니다. 나머지는 본인의 것이 아니라고 하셨습니다',
  },
  'doctor.oldMemoryNotMoved': {
    en: "Old memory in {path} couldn't be moved: {reason}",
    ko: '{path}의 예전 메모리를 옮기지 못했습니다: {reason}',
  },
  'doctor.oldMemoryMend': {
    en: 'Nothing shows that the rest is yours: a repository can bring such files too. Look at it in Memory, or with `memory-keeper memory earlier`, and take over what you know',
    ko: '나머지는 본인의 것이라는 증거가 없습니다. 저장소에 처음부터 들어 있던 파일일 수도 있습니다. 메모리 화면이나 `memory-keeper memory earlier`로 내용을 확인하고 아는 것만 가져오세요',
  },
  'doctor.oldMemoryRemove': { en: 'Delete the old files', ko: '예전 파일 지우기' },
  'doctor.oldMemoryPreview': {
    en: 'Deletes the files of version 0.1.0 in {path}; everything in them has been moved',
    ko: '{path}에서 0.1.0 버전의 파일을 지웁니다. 내용은 모두 옮겨져 있습니다',
  },
  'doctor.oldMemoryRemoved': {
    en: 'Deleted {count} {count:file|files} in {path}',
    ko: '{path}에서 파일 {count}개를 지웠습니다',
  },

  'doctor.pastTitle': { en: 'Past conversations', ko: '지난 대화' },
  'doctor.pastWhy': {
    en: 'Conversations from before Memory Keeper can be imported for as long as their transcripts exist; Claude Code deletes those after some weeks.',
    ko: 'Memory Keeper를 쓰기 전의 대화도 기록이 남아 있는 동안에는 가져올 수 있습니다. Claude Code는 기록을 몇 주 뒤에 지웁니다.',
  },
  'doctor.pastNone': {
    en: 'No past conversations are waiting to be imported',
    ko: '가져올 지난 대화가 없습니다',
  },
  'doctor.pastWaiting': {
    en: '{count} past {count:conversation is|conversations are} not in memory yet. Claude Code deletes transcripts after {days} {days:day|days}.',
    ko: '아직 메모리에 없는 지난 대화가 {count}개 있습니다. Claude Code는 기록을 {days}일 뒤에 지웁니다.',
  },
  'doctor.pastMend': {
    en: 'See what there is: `memory-keeper memory import-history --dry-run`. Import it: `memory-keeper memory import-history`.',
    ko: '무엇이 있는지 보기: `memory-keeper memory import-history --dry-run`. 가져오기: `memory-keeper memory import-history`.',
  },

  'doctor.logsTitle': { en: 'Errors in the logs', ko: '로그의 오류' },
  'doctor.logsWhy': {
    en: 'A hook never interrupts a session, so its errors are only written to the log.',
    ko: '훅은 세션을 방해하지 않으므로, 훅에서 생긴 오류는 로그에만 남습니다.',
  },
  'doctor.logsNone': {
    en: 'No errors in the last 24 hours',
    ko: '최근 24시간 동안 오류가 없습니다',
  },
  'doctor.logsFound': {
    en: '{count} {count:error|errors} in the last 24 hours. The latest, in {log} at {at:date}: {line}',
    ko: '최근 24시간 동안 오류 {count}건. 가장 최근 오류({log}, {at:date}): {line}',
  },
  'doctor.logsMend': {
    en: 'Please report it, with the lines around it in {path}',
    ko: '{path}의 앞뒤 내용과 함께 알려 주세요',
  },

  'doctor.autoCompactTitle': { en: 'Auto-compact', ko: '자동 압축' },
  'doctor.autoCompactWhy': {
    en: 'Near the limit, Claude Code replaces the conversation with a summary. The conversation is saved before that and stays searchable.',
    ko: '한도에 가까워지면 Claude Code가 대화를 요약으로 바꿉니다. 나눈 대화는 그 전에 저장되므로 다시 찾을 수 있습니다.',
  },
  'doctor.autoCompactOn': {
    en: 'Auto-compact is on ({from}). {effect}',
    ko: '자동 압축이 켜져 있습니다({from}). {effect}',
  },
  'doctor.autoCompactOff': {
    en: 'Auto-compact is off ({from}). {effect}',
    ko: '자동 압축이 꺼져 있습니다({from}). {effect}',
  },
  'doctor.autoCompactByVariable': {
    en: 'environment variable {variable}',
    ko: '환경 변수 {variable}',
  },
  'doctor.autoCompactByFlag': { en: '{flag} in {path}', ko: '{path}의 {flag}' },
  'doctor.autoCompactByDefault': { en: "Claude Code's default", ko: 'Claude Code 기본값' },
  'doctor.clearsComeFirst': {
    en: 'Sessions are cleared before they are full.',
    ko: '세션은 가득 차기 전에 비워집니다.',
  },
  'doctor.clearsAsk': {
    en: 'Automatic clears ask first, so a session can reach its limit and stop.',
    ko: '자동 비우기는 먼저 물어보므로 세션이 한도에 이르러 멈출 수 있습니다.',
  },
  'doctor.clearsOff': {
    en: 'Automatic clears are off, so a session can reach its limit and stop.',
    ko: '자동 비우기가 꺼져 있어 세션이 한도에 이르러 멈출 수 있습니다.',
  },
  'doctor.compactsLast': {
    en: "It runs only if a session isn't cleared first.",
    ko: '세션을 그 전에 비우지 못했을 때만 동작합니다.',
  },
  'doctor.compactsFirst': {
    en: 'With a window of {window} tokens it runs at {tokens} ({by}), before the automatic clear.',
    ko: '컨텍스트 크기가 {window} 토큰이면 {tokens} 토큰에서({by}) 자동 비우기보다 먼저 동작합니다.',
  },
  'doctor.compactsFirstMend': {
    en: 'Lower autoClear.threshold to less than {tokens} tokens, or turn auto-compact off',
    ko: 'autoClear.threshold를 {tokens} 토큰보다 낮추거나 자동 압축을 끄세요',
  },
  'doctor.sessionCompactsFirst': {
    en: '{session}: Claude Code compacts at {tokens} tokens ({by}), before the automatic clear at {clearsAt}.',
    ko: '{session}: Claude Code가 {tokens} 토큰에서({by}) 압축합니다. 자동 비우기 기준({clearsAt} 토큰)보다 먼저입니다.',
  },
  'doctor.compactsFirstSettingMend': {
    en: 'Raise or remove {name} in {path}, or lower autoClear.threshold to less than {tokens} tokens',
    ko: '{path}의 {name} 값을 높이거나 없애세요. autoClear.threshold를 {tokens} 토큰보다 낮춰도 됩니다',
  },
  'doctor.compactsFirstVariableMend': {
    en: 'Raise or unset the environment variable {name} and restart the session, or lower autoClear.threshold to less than {tokens} tokens',
    ko: '환경 변수 {name} 값을 높이거나 없애고 세션을 다시 시작하세요. autoClear.threshold를 {tokens} 토큰보다 낮춰도 됩니다',
  },
  'doctor.autoCompactVariableMend': {
    en: 'To turn it on again, unset {variable}',
    ko: '다시 쓰려면 환경 변수 {variable:을/를} 없애세요',
  },
  'doctor.autoCompactSettingsMend': {
    en: 'Fix settings.json, then turn auto-compact on',
    ko: 'settings.json을 고친 뒤 자동 압축을 켜세요',
  },
  'doctor.autoCompactTurnOn': { en: 'Turn auto-compact on', ko: '자동 압축 켜기' },
  'doctor.autoCompactTurnOff': { en: 'Turn auto-compact off', ko: '자동 압축 끄기' },
  'doctor.autoCompactOnAlready': {
    en: 'Auto-compact is already on in {path}. Nothing was changed.',
    ko: '{path}에 자동 압축이 이미 켜져 있어 아무것도 바꾸지 않았습니다.',
  },
  'doctor.autoCompactOffAlready': {
    en: 'Auto-compact is already off in {path}. Nothing was changed.',
    ko: '{path}에 자동 압축이 이미 꺼져 있어 아무것도 바꾸지 않았습니다.',
  },
  'doctor.autoCompactTurnedOn': {
    en: 'Auto-compact turned on: {flag} is now true in {path}. Nothing else was changed.',
    ko: '자동 압축을 켰습니다. {path}의 {flag} 값은 이제 true이며 다른 내용은 바꾸지 않았습니다.',
  },
  'doctor.autoCompactTurnedOff': {
    en: 'Auto-compact turned off: {flag} is now false in {path}. Nothing else was changed.',
    ko: '자동 압축을 껐습니다. {path}의 {flag} 값은 이제 false이며 다른 내용은 바꾸지 않았습니다.',
  },

  'doctor.longTurnsTitle': { en: 'Long turns', ko: '긴 턴' },
  'doctor.longTurnsWhy': {
    en: 'A session is cleared only between turns. Inside a long turn, only Claude Code itself can make room.',
    ko: '세션은 턴과 턴 사이에만 비웁니다. 긴 턴 안에서는 Claude Code만 공간을 확보할 수 있습니다.',
  },
  'doctor.longTurnsOn': {
    en: 'Compacted at your critical threshold, also inside a turn ({entry} is {value})',
    ko: '턴 안에서도 위험 기준에서 압축됩니다({entry} 값 {value})',
  },
  'doctor.longTurnsOff': {
    en: "Off: inside a turn, Claude Code compacts at its own point or when the model's limit is reached. Turn it on: memory-keeper long-turns on",
    ko: '꺼져 있습니다. 턴 안에서는 Claude Code가 정한 시점이나 모델의 한도에서 압축됩니다. 켜려면: memory-keeper long-turns on',
  },
  'doctor.longTurnsOwn': {
    en: 'You set autoCompactWindow to {own} in {path} yourself, and it stays so',
    ko: '{path}의 autoCompactWindow를 직접 {own:으로/로} 정해 두었으며 그대로 둡니다',
  },
  'doctor.longTurnsBehind': {
    en: 'On, but your critical threshold has changed since: autoCompactWindow should be {value}',
    ko: '켜져 있지만 그 뒤에 위험 기준이 바뀌었습니다. autoCompactWindow는 {value:이어야/여야} 합니다',
  },
  'doctor.longTurnsInVain': {
    en: 'On, but it may have no effect: {reasons}',
    ko: '켜져 있지만 효과가 없을 수 있습니다: {reasons}',
  },
  'doctor.longTurnsTurnOn': {
    en: 'Compact long turns at the critical threshold',
    ko: '긴 턴을 위험 기준에서 압축',
  },
  'doctor.longTurnsTurnOff': {
    en: 'Leave long turns to Claude Code again',
    ko: '긴 턴을 다시 Claude Code에 맡기기',
  },
  'doctor.longTurnsFollow': {
    en: 'Set it to the new critical threshold',
    ko: '바뀐 위험 기준으로 맞추기',
  },

  'doctor.statusLineTitle': { en: 'Status line', ko: '상태 줄' },
  'doctor.statusLineWhy': {
    en: 'Before 2.1.287, Claude Code reports the exact window of a session only to its status line. Without it, the model table is used.',
    ko: '2.1.287 이전의 Claude Code는 세션의 정확한 컨텍스트 크기를 상태 줄에만 알려 줍니다. 연결되어 있지 않으면 모델 표의 크기를 씁니다.',
  },
  'doctor.statusLineNotNeeded': {
    en: 'Not connected, and not needed: the plugin inside Claude Code knows the window',
    ko: '연결되어 있지 않지만 필요 없습니다. Claude Code 안의 플러그인이 컨텍스트 크기를 알고 있습니다',
  },
  'doctor.statusLineBroken': {
    en: 'Connected, but the plugin that receives the window is missing',
    ko: '연결되어 있지만, 컨텍스트 크기를 받을 플러그인이 없습니다',
  },
  'doctor.statusLineBrokenOwn': {
    en: 'Connected, but the plugin that receives the window is missing. Your own status line is still shown.',
    ko: '연결되어 있지만, 컨텍스트 크기를 받을 플러그인이 없습니다. 내 상태 줄은 그대로 표시됩니다.',
  },
  'doctor.statusLineBrokenMend': {
    en: 'Reinstall the plugin, or disconnect the status line',
    ko: '플러그인을 다시 설치하거나 상태 줄 연결을 끊으세요',
  },
  'doctor.statusLineFound': {
    en: 'Connected: it reports the exact window',
    ko: '연결됨: 정확한 컨텍스트 크기를 알려 줍니다',
  },
  'doctor.statusLineFoundOwn': {
    en: 'Connected: it reports the exact window. Your own status line is shown as before.',
    ko: '연결됨: 정확한 컨텍스트 크기를 알려 줍니다. 내 상태 줄은 전과 같이 표시됩니다.',
  },
  'doctor.statusLineHidden': {
    en: 'Connected, but these projects show their own status line instead: {files:list}',
    ko: '연결되어 있지만, 자체 상태 줄이 있는 프로젝트에서는 그것이 대신 표시됩니다: {files:list}',
  },
  'doctor.statusLineHiddenMend': {
    en: 'Nothing to do: these files are never changed. Those projects use the model table, and the percentage says so.',
    ko: '이 파일들은 바꾸지 않습니다. 그 프로젝트에서는 모델 표의 크기를 쓰며, 비율에 그렇게 표시됩니다.',
  },
  'doctor.statusLineMissing': {
    en: 'Not connected: with Claude Code {version} the model table is used',
    ko: '연결되어 있지 않습니다. Claude Code {version}에서는 모델 표의 크기를 씁니다',
  },
  'doctor.statusLineMissingMend': {
    en: 'Connect it to get the exact window. If you have a status line, it stays.',
    ko: '연결하면 정확한 컨텍스트 크기를 알 수 있습니다. 쓰고 있는 상태 줄은 유지됩니다.',
  },
  'doctor.statusLineConnect': { en: 'Connect the status line', ko: '상태 줄 연결' },
  'doctor.statusLineDisconnect': { en: 'Disconnect the status line', ko: '상태 줄 연결 끊기' },

  'doctor.typingTitle': { en: 'Typing on the desktop', ko: '데스크톱 키 입력' },
  'doctor.typingWhy': {
    en: 'As a last resort, a session is cleared by pressing keys in its window.',
    ko: '다른 방법이 없으면 세션의 창에 키를 입력해 비웁니다.',
  },
  'doctor.typingFound': {
    en: 'The display can be reached and typing works',
    ko: '디스플레이에 연결할 수 있고 키를 입력할 수 있습니다',
  },
  'doctor.typingNotNow': {
    en: 'Not possible now: {reason}',
    ko: '지금은 할 수 없습니다: {reason}',
  },
  'doctor.typingImpossible': { en: 'Not possible: {reason}', ko: '할 수 없습니다: {reason}' },
  'doctor.typingOtherDrivers': {
    en: "Not needed for sessions with the plugin's mod or in tmux, screen, zellij, kitty, WezTerm or iTerm2",
    ko: '플러그인의 mod가 있거나 tmux, screen, zellij, kitty, WezTerm, iTerm2에서 실행되는 세션에는 필요 없습니다',
  },
  'doctor.typingMac': {
    en: 'Ready to type. Whether macOS allows it only shows when it does.',
    ko: '입력할 준비가 되어 있습니다. macOS가 키 입력을 허용하는지는 실제로 입력할 때만 알 수 있습니다.',
  },
  'doctor.typingMacMend': {
    en: 'System Settings → Privacy & Security → Accessibility: turn on Memory Keeper, or the terminal that runs it',
    ko: '시스템 설정 → 개인정보 보호 및 보안 → 손쉬운 사용에서 Memory Keeper 또는 실행 중인 터미널을 켜세요',
  },
  'doctor.typingWayland': {
    en: "On Wayland without X, a program can't press keys in another program's window",
    ko: 'X 없이 Wayland를 쓰고 있어 다른 창에 키를 입력할 수 없습니다',
  },
  'doctor.typingNoDisplay': { en: 'There is no display', ko: '디스플레이가 없습니다' },

  'doctor.driversTitle': { en: 'Drivers for active sessions', ko: '실행 중인 세션을 비우는 방식' },
  'doctor.driversWhy': {
    en: 'A driver clears a session. Without one, you are asked to type /clear yourself.',
    ko: '방식이 없는 세션은 자동으로 비우지 않고, 직접 /clear를 입력하라고 알립니다.',
  },
  'doctor.driversNoSession': { en: 'No active sessions', ko: '실행 중인 세션이 없습니다' },
  'doctor.driverFound': { en: '{session}: {driver}', ko: '{session}: {driver}' },
  'doctor.driverMissing': {
    en: "{session}: can't be cleared ({driver}: {reason})",
    ko: '{session}: 비울 수 없음({driver}: {reason})',
  },
  'doctor.driversOff': {
    en: "{session}: can't be cleared (all drivers are turned off)",
    ko: '{session}: 비울 수 없음(모든 방식이 꺼져 있음)',
  },
  'doctor.driversMend': {
    en: 'Install the plugin and restart these sessions, or run them in tmux',
    ko: '플러그인을 설치하고 세션을 다시 시작하거나 tmux에서 실행하세요',
  },

  'doctor.watchingTitle': { en: 'Watching sessions', ko: '세션 지켜보기' },
  'doctor.watchingWhy': {
    en: 'Sessions are cleared automatically only while the app, `memory-keeper serve` or `memory-keeper watch` is running.',
    ko: '앱, `memory-keeper serve` 또는 `memory-keeper watch`가 실행 중일 때만 세션을 자동으로 비웁니다.',
  },
  'doctor.watchingNone': {
    en: 'Nothing is watching the sessions',
    ko: '지금 세션을 지켜보는 앱이 없습니다',
  },
  'doctor.watchingStart': {
    en: 'Start the app or `memory-keeper watch`',
    ko: '앱이나 `memory-keeper watch`를 실행하세요',
  },
  'doctor.watchingNotNeeded': {
    en: 'Automatic clears are off, so nothing needs to watch the sessions',
    ko: '자동 비우기가 꺼져 있어 세션을 지켜볼 필요가 없습니다',
  },
  'doctor.watchingFound': {
    en: 'The sessions are being watched',
    ko: '세션을 지켜보고 있습니다',
  },
  'doctor.watchingSeveral': {
    en: '{count} programs are watching the sessions (processes {pids:list}). Each clear is done by one of them.',
    ko: '프로그램 {count}개가 세션을 지켜보고 있습니다(프로세스 {pids:list}). 세션마다 그중 하나가 비웁니다.',
  },
  'doctor.watchingSeveralMend': {
    en: 'One is enough: close the others',
    ko: '하나면 충분합니다. 나머지는 닫으세요',
  },

  'doctor.pausedTitle': { en: 'Automatic clears', ko: '자동 비우기' },
  'doctor.pausedWhy': {
    en: 'While they are paused, sessions grow until they are full.',
    ko: '일시 중지되어 있으면 세션이 가득 찰 때까지 커집니다.',
  },
  'doctor.paused': { en: 'Paused', ko: '일시 중지되어 있습니다' },
  'doctor.pausedResume': { en: 'Resume automatic clears', ko: '자동 비우기 다시 시작' },
  'doctor.pausedPreview': {
    en: 'Sessions that reach their threshold are cleared again',
    ko: '기준에 도달한 세션을 다시 비웁니다',
  },
  'doctor.pausedResumed': { en: 'Automatic clears resumed', ko: '자동 비우기를 다시 시작했습니다' },
  'doctor.clearsAreAutomatic': { en: 'On', ko: '켜져 있습니다' },
  'doctor.clearsAskBefore': { en: 'On: you are asked first', ko: '비우기 전에 물어봅니다' },
  'doctor.clearsAreOff': {
    en: 'Off (autoClear.mode is off)',
    ko: '설정에 따라 꺼져 있습니다(autoClear.mode가 off)',
  },

  'doctor.clockTitle': { en: 'Clock', ko: '시계' },
  'doctor.clockWhy': {
    en: "Sessions are sorted by time. If the clock is wrong, the latest one can't be found.",
    ko: '세션은 시간순으로 정렬됩니다. 시계가 틀리면 가장 최근 세션을 찾지 못합니다.',
  },
  'doctor.clockWrong': {
    en: 'This computer thinks that today is {day}',
    ko: '이 컴퓨터의 오늘 날짜는 {day}입니다',
  },
  'doctor.clockFound': {
    en: 'Today is {day}, and no transcript is from the future',
    ko: '오늘은 {day}이며, 미래 시각의 대화 기록은 없습니다',
  },
  'doctor.clockBehind': {
    en: '{count} {count:transcript is|transcripts are} from the future, such as {path}',
    ko: '미래 시각의 대화 기록 {count}개. 예: {path}',
  },
  'doctor.clockMend': {
    en: 'Set the clock of this computer, or have the network set it',
    ko: '컴퓨터의 시계를 맞추거나 네트워크로 자동 설정하세요',
  },

  'doctor.diskTitle': { en: 'Disk space', ko: '디스크 공간' },
  'doctor.diskWhy': {
    en: 'Nothing can be saved on a full disk.',
    ko: '디스크가 가득 차면 아무것도 저장할 수 없습니다.',
  },
  'doctor.diskFree': {
    en: '{size} free on the disk of {folder}',
    ko: '{folder:이/가} 있는 디스크에 {size} 남아 있습니다',
  },
  'doctor.diskMend': { en: 'Free some space on that disk', ko: '그 디스크의 공간을 확보하세요' },
} as const;

/** The plugin in Claude Code: finding `claude`, installing, its settings.json, the status line. */
export const PLUGIN = {
  'plugin.claudeNotFound': {
    en: 'Claude Code (the `claude` command) was not found on this computer',
    ko: '이 컴퓨터에서 Claude Code(`claude` 명령)를 찾지 못했습니다',
  },
  'plugin.claudeTooOld': {
    en: 'Claude Code {version} is too old: Memory Keeper needs {oldest} or later. Update it with `claude update`.',
    ko: 'Claude Code {version} 버전은 너무 오래되었습니다. Memory Keeper에는 {oldest} 이상이 필요합니다. `claude update`로 업데이트하세요.',
  },
  'plugin.claudeNoVersion': {
    en: '{path} did not report its version',
    ko: '{path:이/가} 버전을 알려 주지 않습니다',
  },
  'plugin.claudeFails': {
    en: "{path} doesn't work: {reason}",
    ko: '{path:이/가} 동작하지 않습니다: {reason}',
  },
  'plugin.commandFailed': {
    en: '`{command}` failed: {reason}',
    ko: '`{command}` 실패: {reason}',
  },
  'plugin.noList': {
    en: '`{command}` did not print a list',
    ko: '`{command}`의 출력이 목록이 아닙니다',
  },
  'plugin.loadError': {
    en: 'Claude Code reports: {words}',
    ko: 'Claude Code가 알린 문제: {words}',
  },
  'plugin.partMissing': {
    en: 'Part of the installed plugin is missing',
    ko: '설치된 플러그인의 일부가 없습니다',
  },
  'plugin.unknownVersion': { en: '(unknown version)', ko: '(버전 알 수 없음)' },
  'plugin.nothingToUpdate': {
    en: 'The plugin is not installed, so there is nothing to update',
    ko: '플러그인이 설치되어 있지 않아 업데이트할 것이 없습니다',
  },
  'plugin.notIncluded': {
    en: 'This program does not include the plugin. Install the full Memory Keeper app.',
    ko: '이 프로그램에는 플러그인이 없습니다. Memory Keeper 앱 전체를 설치하세요.',
  },
  'plugin.newerInstalled': {
    en: 'The installed plugin ({installed}) is newer than the one included here ({carried}). Nothing was changed.',
    ko: '설치된 플러그인({installed})이 여기에 포함된 것({carried})보다 새 버전입니다. 아무것도 바꾸지 않았습니다.',
  },
  'plugin.copyFailed': {
    en: "The plugin couldn't be copied to {path}: {reason}",
    ko: '플러그인을 {path:으로/로} 복사하지 못했습니다: {reason}',
  },
  'plugin.cannotWrite': {
    en: "{path} can't be written: {reason}",
    ko: '{path}에 쓸 수 없습니다: {reason}',
  },
  'plugin.cannotRemove': {
    en: "{path} can't be removed: {reason}",
    ko: '{path:을/를} 지울 수 없습니다: {reason}',
  },
  'plugin.cannotChange': {
    en: "{path} can't be changed: {reason}",
    ko: '{path:을/를} 바꿀 수 없습니다: {reason}',
  },
  'plugin.readOnly': {
    en: '{path} is read-only and was left unchanged',
    ko: '{path:은/는} 읽기 전용이라 그대로 두었습니다',
  },
  'plugin.changedMeanwhile': {
    en: 'Another program has just changed {path}. Nothing was written; try again.',
    ko: '그사이 다른 프로그램이 {path:을/를} 바꿔 아무것도 쓰지 않았습니다. 다시 시도하세요.',
  },
  'plugin.notUnderstood': {
    en: "A single value in it can't be changed safely, so it was left unchanged",
    ko: '값 하나만 안전하게 바꿀 수 없어 그대로 두었습니다',
  },
  'plugin.notAnObject': { en: 'it is not an object', ko: '객체가 아닙니다' },
  'plugin.settingsUnreadable': {
    en: "Claude Code's settings can't be read: {reason}",
    ko: 'Claude Code의 설정을 읽을 수 없습니다: {reason}',
  },
  'plugin.settingsFolderLocked': {
    en: "You can't read and write {folder}, so Claude Code can't use {path}",
    ko: '{folder:을/를} 읽고 쓸 수 없어 Claude Code가 {path:을/를} 사용할 수 없습니다',
  },
  'plugin.settingsInvalid': {
    en: "{path} is not valid JSON ({reason}), so Claude Code can't change it. It was left unchanged. Fix it and try again; comments and trailing commas are not allowed.",
    ko: '{path:은/는} 올바른 JSON이 아니어서({reason}) Claude Code가 바꿀 수 없습니다. 그대로 두었습니다. 고친 뒤 다시 시도하세요. 주석이나 목록 끝의 쉼표는 쓸 수 없습니다.',
  },
  'plugin.settingsReadOnly': {
    en: "{path} is read-only, so Claude Code can't change it. It was left unchanged.",
    ko: '{path:은/는} 읽기 전용이라 Claude Code가 바꿀 수 없습니다. 그대로 두었습니다.',
  },
  'plugin.settingsDamaged': {
    en: 'Claude Code changed {path}, and it is no longer valid JSON. The previous version was saved to {kept}.',
    ko: 'Claude Code가 바꾼 뒤 {path:이/가} 더 이상 올바른 JSON이 아닙니다. 이전 내용은 {kept}에 있습니다.',
  },
  'plugin.settingsGone': {
    en: 'Claude Code changed {path}, and it is gone. The previous version was saved to {kept}.',
    ko: 'Claude Code가 바꾼 뒤 {path:이/가} 없어졌습니다. 이전 내용은 {kept}에 있습니다.',
  },
  /** Several messages, one below the other. */
  'plugin.lines': { en: '{lines:lines}', ko: '{lines:lines}' },
  'plugin.problemAndSteps': { en: '{problem}\n{steps:lines}', ko: '{problem}\n{steps:lines}' },
  'plugin.stepInstallClaude': {
    en: 'Install Claude Code (https://code.claude.com/docs), or add the folder of the `claude` command to PATH, then try again',
    ko: 'Claude Code를 설치하거나(https://code.claude.com/docs) `claude` 명령이 있는 폴더를 PATH에 추가한 뒤 다시 시도하세요',
  },
  'plugin.stepRun': {
    en: 'Or run these commands where `claude` works:',
    ko: '또는 `claude`가 동작하는 곳에서 다음 명령을 실행하세요.',
  },
  'plugin.stepRemove': {
    en: 'To remove it later: `claude plugin uninstall {plugin}`, then `claude plugin marketplace remove {marketplace}`',
    ko: '나중에 제거하려면: `claude plugin uninstall {plugin}`, 이어서 `claude plugin marketplace remove {marketplace}`',
  },
  /** To be typed as it is. */
  'plugin.command': { en: '{command}', ko: '{command}' },
  /** What a change to a file looks like: its name, then the lines that go and come. */
  'plugin.changedFile': { en: '{path}', ko: '{path}' },
  'plugin.lineRemoved': { en: '- {line}', ko: '- {line}' },
  'plugin.lineAdded': { en: '+ {line}', ko: '+ {line}' },
  'plugin.previousKept': {
    en: 'The previous version was saved to {path}',
    ko: '이전 내용은 {path}에 보관했습니다',
  },
  'plugin.restartSessions': {
    en: 'Running sessions use it once you restart them',
    ko: '실행 중인 세션에는 다시 시작할 때 적용됩니다',
  },
  'plugin.statusLineAdded': {
    en: 'A line such as "Opus 5.5 · context 15 %" appears below the prompt, where there is none now',
    ko: '지금은 아무것도 없는 프롬프트 아래에 "Opus 5.5 · context 15 %" 같은 줄이 표시됩니다',
  },
  'plugin.statusLineInvalidJson': {
    en: '{path} is not valid JSON',
    ko: '{path:은/는} 올바른 JSON이 아닙니다',
  },
  'plugin.statusLineNoCommand': {
    en: '"{entry}" in it is not a command',
    ko: '"{entry}" 항목이 명령이 아닙니다',
  },
  'plugin.statusLineConnectedAlready': {
    en: 'The status line is already connected. Nothing was changed.',
    ko: '상태 줄이 이미 연결되어 있어 아무것도 바꾸지 않았습니다.',
  },
  'plugin.statusLineConnected': {
    en: 'Status line connected: "{entry}" in {path} now reports the exact window of each session',
    ko: '상태 줄을 연결했습니다. {path}의 "{entry}" 항목이 각 세션의 정확한 컨텍스트 크기를 알려 줍니다',
  },
  'plugin.statusLineOwnShown': {
    en: 'Your own status line is shown as before',
    ko: '내 상태 줄은 전과 같이 표시됩니다',
  },
  'plugin.statusLineNotConnected': {
    en: 'The status line is not connected. Nothing was changed.',
    ko: '상태 줄이 연결되어 있지 않아 아무것도 바꾸지 않았습니다.',
  },
  'plugin.statusLineRemoved': {
    en: 'Status line disconnected. There is no status line any more.',
    ko: '상태 줄 연결을 끊었습니다. 이제 상태 줄이 없습니다.',
  },
  'plugin.statusLineRestored': {
    en: 'Status line disconnected. Your own is back exactly as you wrote it.',
    ko: '상태 줄 연결을 끊었습니다. 내가 쓰던 상태 줄로 돌아갔습니다.',
  },
  'plugin.statusLineNotOnWindows': {
    en: "The status line can't be connected on Windows yet. Claude Code 2.1.287 and later reports the exact window to the plugin instead.",
    ko: 'Windows에서는 아직 상태 줄을 연결할 수 없습니다. Claude Code 2.1.287 이상은 정확한 컨텍스트 크기를 플러그인에 알려 줍니다.',
  },
  'plugin.statusLineNeedsPlugin': {
    en: 'Install or update the plugin first: it receives what the status line reports',
    ko: '먼저 플러그인을 설치하거나 업데이트하세요. 상태 줄의 정보는 플러그인이 받습니다',
  },
} as const;

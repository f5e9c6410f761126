/**
 * What settings mean, what they may be, and what is wrong with them. A value called `setting` or
 * `otherSetting` is the key of a setting; the window shows its label instead.
 */
export const SETTINGS = {
  'settings.fileIgnored': {
    en: 'The settings in {path} are ignored, and the file is left unchanged: {reason}',
    ko: '{path}의 설정을 사용하지 않으며, 파일은 그대로 두었습니다: {reason}',
  },
  'settings.fileSetAside': {
    en: 'The settings file could not be understood and was set aside as {path}',
    ko: '설정 파일을 해석할 수 없어 {path:으로/로} 따로 보관했습니다',
  },
  'settings.nothingToUndo': {
    en: 'There is no change to undo in {path}',
    ko: '{path}에 되돌릴 변경이 없습니다',
  },
  'settings.userOnly': {
    en: '{setting} applies to all projects and cannot be set for just one',
    ko: '{setting:은/는} 모든 프로젝트에 공통이라 한 프로젝트만 따로 정할 수 없습니다',
  },
  'settings.invalid': { en: '{setting}: {constraint}', ko: '{setting}: {constraint}' },
  'settings.userIgnored': {
    en: 'Your setting {setting} is ignored: {constraint}',
    ko: '내 설정 {setting:을/를} 사용하지 않습니다: {constraint}',
  },
  'settings.projectIgnored': {
    en: "This project's setting {setting} is ignored: {constraint}",
    ko: '이 프로젝트의 설정 {setting:을/를} 사용하지 않습니다: {constraint}',
  },
  'settings.warnNotBelowCritical': {
    en: '{setting} ({warn}) is not below {otherSetting} ({critical}), so you only see the critical warning',
    ko: '{setting}({warn})의 값이 {otherSetting}({critical})보다 낮지 않아 위험 단계에서만 알려 줍니다',
  },

  'settings.mustBe.threshold': {
    en: 'Must be a percentage from 1 to 100, or a number of tokens from 1,000',
    ko: '1~100의 비율이나 1,000 이상의 토큰 수여야 합니다',
  },
  'settings.mustBe.clearThreshold': {
    en: 'Must be warn, a percentage from 1 to 100, or a number of tokens from 1,000',
    ko: 'warn, 1~100의 비율, 1,000 이상의 토큰 수 중 하나여야 합니다',
  },
  'settings.mustBe.wholeNumber': {
    en: 'Must be a whole number from {lowest} to {highest}',
    ko: '{lowest} 이상 {highest} 이하의 정수여야 합니다',
  },
  'settings.mustBe.daysOrNever': {
    en: 'Must be 0 for never, or a whole number from {lowest} to {highest}',
    ko: '삭제하지 않으려면 0, 아니면 {lowest} 이상 {highest} 이하의 정수여야 합니다',
  },
  'settings.mustBe.flag': {
    en: 'Must be true or false',
    ko: 'true 또는 false여야 합니다',
  },
  'settings.mustBe.oneOf': {
    en: 'Must be one of: {choices:list}',
    ko: '다음 중 하나여야 합니다: {choices:list}',
  },
  'settings.mustBe.someOf': {
    en: 'Must be one or more of: {choices:list}',
    ko: '다음 중 하나 이상이어야 합니다: {choices:list}',
  },
  'settings.mustBe.hours': {
    en: 'Must be a range such as 22:00-07:00, or none',
    ko: '22:00-07:00 같은 범위이거나 none이어야 합니다',
  },
  'settings.mustBe.scopes': {
    en: 'Must be folders of the repository with commas between them, such as packages/*,apps/web, or none',
    ko: 'packages/*,apps/web처럼 저장소 안의 폴더를 쉼표로 나열하거나 none이어야 합니다',
  },
  'settings.mustBe.windows': {
    en: 'Must be model ids, each with its tokens (from {lowest}), such as glm-5.1=200000,qwen3:8b=40960, or none',
    ko: 'glm-5.1=200000,qwen3:8b=40960처럼 모델 ID와 토큰 수({lowest} 이상)를 나열하거나 none이어야 합니다',
  },
  'settings.mustBe.model': {
    en: 'Must be the name of a model, such as haiku, or none',
    ko: 'haiku 같은 모델 이름이거나 none이어야 합니다',
  },

  'settings.help.thresholds.warn': {
    en: 'Show a warning when the context is this full: a percentage of the window, or a number of tokens.',
    ko: '컨텍스트가 이만큼 차면 경고합니다. 비율이나 토큰 수로 정합니다.',
  },
  'settings.help.thresholds.critical': {
    en: 'Show a critical warning when the context is this full: a percentage of the window, or a number of tokens.',
    ko: '컨텍스트가 이만큼 차면 위험하다고 알립니다. 비율이나 토큰 수로 정합니다.',
  },
  'settings.help.saveInterval': {
    en: 'Update memory.md after this many tool calls.',
    ko: '도구를 이만큼 사용할 때마다 memory.md를 갱신합니다.',
  },
  'settings.help.rulesInjectionFrequency': {
    en: 'Send your rules along with every nth prompt: 1 means every prompt, 0 means never.',
    ko: '몇 번째 프롬프트마다 규칙을 함께 보낼지 정합니다. 1은 매번, 0은 보내지 않음.',
  },
  'settings.help.quietStop': {
    en: 'Say nothing after a reply. When off, each reply is followed by a note of where it was saved.',
    ko: '응답이 끝난 뒤 알리지 않습니다. 끄면 응답이 끝날 때마다 저장한 곳을 알려 줍니다.',
  },
  'settings.help.summaryMaxLength': {
    en: 'Maximum length of a summary: tokens for a session, characters for a summary made without a model.',
    ko: '세션 요약은 토큰 수, 모델 없이 만든 요약은 글자 수 기준입니다.',
  },
  'settings.help.enforcement': {
    en: "What to do when parts of today's memory are missing: nothing, remind you, or ask Claude once before it stops.",
    ko: '오늘 메모리의 일부가 없을 때 할 일입니다. 아무것도 안 하거나, 알려 주거나, Claude가 끝내기 전에 한 번 요청합니다.',
  },
  'settings.help.models.delta': {
    en: 'Model that summarizes recent work; none means no model.',
    ko: '지난번 이후의 작업을 요약하는 모델입니다. none이면 모델을 쓰지 않습니다.',
  },
  'settings.help.models.facts': {
    en: 'Model that finds decisions, patterns and issues; none means no model.',
    ko: '결정, 패턴, 이슈를 찾는 모델입니다. none이면 모델을 쓰지 않습니다.',
  },
  'settings.help.models.rotation': {
    en: 'Model that summarizes what is moved out of memory.md; none means no model.',
    ko: 'memory.md에서 옮겨지는 내용을 요약하는 모델입니다. none이면 모델을 쓰지 않습니다.',
  },
  'settings.help.models.windows': {
    en: 'How many tokens fit into the context window of a model, for models whose window is not known: models.windows.<id> is that of one model.',
    ko: '컨텍스트 크기를 알 수 없는 모델에 토큰이 몇 개 들어가는지 모델별로 정합니다. models.windows.<ID>로 하나씩 정할 수 있습니다.',
  },
  'settings.help.budget.tokensPerDay': {
    en: 'Tokens that Memory Keeper may spend on models per day; 0 means none.',
    ko: 'Memory Keeper가 하루에 모델에 쓸 수 있는 토큰입니다. 0이면 쓰지 않습니다.',
  },
  'settings.help.restore.maxChars': {
    en: 'How long the briefing of a new session may be. Rules come on top.',
    ko: '새 세션에 돌려주는 내용의 최대 길이입니다. 규칙은 따로 더해집니다.',
  },
  'settings.help.recall.enabled': {
    en: 'With each prompt, Claude also gets the few notes of earlier sessions that are about it and that it does not have yet. Needs Claude Code 2.1.287 or later.',
    ko: '프롬프트마다 이전 세션의 기억 가운데 관련이 있고 아직 Claude에게 없는 것을 몇 가지 함께 전달합니다. Claude Code 2.1.287 이상이 필요합니다.',
  },
  'settings.help.recall.maxChars': {
    en: 'How long these notes may be with one prompt, all together; 0 means none.',
    ko: '프롬프트 하나에 더하는 관련 기억의 최대 길이입니다. 0이면 더하지 않습니다.',
  },
  'settings.help.compaction.replace': {
    en: 'When Claude Code would compact a session (by itself or by /compact), Memory Keeper does it: at once, without asking a model, with the briefing and the newest messages. Off: Claude Code writes its own summary. Needs Claude Code 2.1.287 or later. With auto-compact switched off in Claude Code, only /compact comes here.',
    ko: 'Claude Code가 세션을 압축할 때(자동 또는 /compact) Memory Keeper가 대신 처리합니다. 모델에 묻지 않고 바로, 브리핑과 최근 메시지로 바꿉니다. 끄면 Claude Code가 직접 요약합니다. Claude Code 2.1.287 이상이 필요하고, Claude Code의 자동 압축을 꺼 두면 /compact에만 적용됩니다.',
  },
  'settings.help.retention.l1Days': {
    en: 'Move saved conversations to the trash after this many days; 0 means never.',
    ko: '저장한 대화를 이 기간이 지나면 휴지통으로 옮깁니다. 0이면 옮기지 않습니다.',
  },
  'settings.help.retention.trashDays': {
    en: 'How long conversations stay in the trash, where you can restore them, before they are deleted for good.',
    ko: '휴지통의 대화를 완전히 삭제하기 전까지 두는 기간입니다. 그동안은 되돌릴 수 있습니다.',
  },
  'settings.help.retention.rawCopy': {
    en: "Also keep a copy of Claude Code's own transcript.",
    ko: 'Claude Code의 대화 기록 원본도 보관합니다.',
  },
  'settings.help.storage': {
    en: "Memory is stored in your home folder. With project, a copy is also kept in each project's .claude folder; it is lost with the checkout and is never read back.",
    ko: '메모리는 홈 폴더에 저장됩니다. project를 선택하면 각 프로젝트의 .claude 폴더에도 사본을 둡니다. 사본은 체크아웃을 지우면 함께 사라지고 다시 읽지 않습니다.',
  },
  'settings.help.scopes': {
    en: 'Folders of a repository that have a memory of their own, such as packages/*. none: one memory for the whole repository.',
    ko: '메모리를 따로 두는 저장소 안의 폴더입니다(예: packages/*). none이면 저장소 전체가 메모리 하나를 씁니다.',
  },
  'settings.help.autoClear.mode': {
    en: 'What happens at the threshold: auto clears the session after a countdown, ask waits for your OK, off only warns.',
    ko: '기준에 도달했을 때 할 일입니다. auto는 카운트다운 뒤 비우고, ask는 허락을 기다리고, off는 경고만 합니다.',
  },
  'settings.help.autoClear.method': {
    en: 'clear starts a new session and restores it; compact makes room in the same session, as /compact does, where the plugin runs inside Claude Code (2.1.287 and later). Elsewhere sessions are cleared. A compacted session is not told to continue.',
    ko: 'clear는 새 세션을 시작하고 복원합니다. compact는 /compact처럼 같은 세션 안에서 공간을 확보합니다. Claude Code 안에서 플러그인이 실행되는 2.1.287 이상에서만 되고, 그 밖에는 비웁니다. 압축한 세션에는 이어서 작업하라고 알리지 않습니다.',
  },
  'settings.help.autoClear.threshold': {
    en: 'Clear a session when its context is this full: warn (the same as thresholds.warn), a percentage of the window, or a number of tokens.',
    ko: '컨텍스트가 이만큼 차면 세션을 비웁니다. warn은 경고 기준과 같습니다. 비율이나 토큰 수로도 정할 수 있습니다.',
  },
  'settings.help.autoClear.countdownSeconds': {
    en: 'How long you can cancel or snooze a clear before it happens; 0 means no countdown.',
    ko: '비우기 전에 취소하거나 미룰 수 있는 시간입니다. 0이면 바로 비웁니다.',
  },
  'settings.help.autoClear.cooldownMinutes': {
    en: 'How long a session is not cleared again after a clear, a failed clear or one that you cancel.',
    ko: '비우거나 실패하거나 취소한 뒤, 같은 세션을 다시 비우지 않는 시간입니다.',
  },
  'settings.help.autoClear.busyMinutes': {
    en: 'Notify you when a session due for a clear stays busy longer than this. It is cleared the next time it is idle.',
    ko: '비워야 할 세션이 이보다 오래 작업 중이면 알려 주고, 다음에 작업이 끝났을 때 비웁니다.',
  },
  'settings.help.autoClear.snoozeMinutes': {
    en: 'How long Snooze puts off a clear.',
    ko: '미루기를 누르면 이만큼 뒤로 미룹니다.',
  },
  'settings.help.autoClear.continue': {
    en: 'After a clear, let Claude continue with the hand-over on its own.',
    ko: '비운 뒤 Claude가 인계 내용을 바탕으로 작업을 이어 갑니다.',
  },
  'settings.help.autoClear.summary': {
    en: 'Let the model summarize the whole conversation before a clear, where the plugin can ask it.',
    ko: '비우기 전에, 플러그인이 요청할 수 있으면 모델이 전체 대화를 요약합니다.',
  },
  'settings.help.autoClear.quietHours': {
    en: 'Hours without automatic clears, such as 22:00-07:00, or none.',
    ko: '이 시간에는 자동으로 비우지 않습니다. 예: 22:00-07:00',
  },
  'settings.help.autoClear.maxPerHour': {
    en: 'At most this many automatic clears an hour in one Claude Code. Clears that you ask for do not count.',
    ko: 'Claude Code 하나를 한 시간에 자동으로 비우는 최대 횟수입니다. 직접 비운 것은 세지 않습니다.',
  },
  'settings.help.autoClear.kinds': {
    en: 'Which sessions are cleared automatically: cli (in a terminal), sdk (run by a program, or claude -p), editor, other. All are shown.',
    ko: '자동으로 비울 세션의 종류입니다: cli(터미널), sdk(프로그램 또는 claude -p), editor(편집기), other(그 밖). 표시는 모두 됩니다.',
  },
  'settings.help.delivery.order': {
    en: 'Ways to clear a session, tried from first to last. One that is left out is not used.',
    ko: '세션을 비우는 방식입니다. 앞에서부터 차례로 시도하며, 뺀 방식은 쓰지 않습니다.',
  },
  'settings.help.app.language': {
    en: "Language of the app's window and tray.",
    ko: '앱의 창과 트레이의 언어입니다.',
  },
  'settings.help.app.theme': {
    en: 'Light, dark, or the same as the system.',
    ko: '밝게, 어둡게, 또는 시스템 설정을 따릅니다.',
  },
  'settings.help.app.startAtLogin': {
    en: 'Start the app in the tray when you log in.',
    ko: '로그인하면 트레이에서 시작합니다.',
  },
  'settings.help.app.updates': {
    en: 'Check for updates once a day, if the package says where they come from. Nothing is downloaded without your OK.',
    ko: '설치 패키지에 업데이트 주소가 있을 때만 하루에 한 번 확인합니다. 동의 없이 내려받지 않습니다.',
  },
  'settings.help.app.notifications': {
    en: 'Show notifications. When off, a clear is announced in the window only.',
    ko: '알림을 표시합니다. 끄면 비우기를 창에서만 알립니다.',
  },
} as const;

/** What becomes of a clear, step by step, and why one is not done. */
export const CLEAR = {
  // Why no automatic clear begins.
  'clear.off': {
    en: 'Automatic clears are off here (autoClear.mode)',
    ko: '이 프로젝트는 자동 비우기가 꺼져 있습니다(autoClear.mode)',
  },
  'clear.paused': {
    en: 'Automatic clears are paused until you resume them',
    ko: '다시 시작할 때까지 자동 비우기가 일시 중지되어 있습니다',
  },
  'clear.quietHours': {
    en: 'Quiet hours until {until:time} (autoClear.quietHours)',
    ko: '{until:time}까지 방해 금지 시간입니다(autoClear.quietHours)',
  },
  'clear.putOff': {
    en: 'Put off until {until:time}',
    ko: '{until:time}까지 미뤄 두었습니다',
  },
  'clear.coolingDown': {
    en: 'Cooling down until {until:time} (autoClear.cooldownMinutes)',
    ko: '비운 뒤 쉬는 시간입니다. {until:time}까지 비우지 않습니다(autoClear.cooldownMinutes)',
  },
  'clear.contextUnknown': {
    en: 'The size of its context is not known yet',
    ko: '아직 컨텍스트 크기를 알 수 없습니다',
  },
  'clear.windowUnknown': {
    en: 'The window of model {model} is not known, so a threshold in percent waits. Set it: memory-keeper config set models.windows.{model} <tokens>',
    ko: '{model} 모델의 컨텍스트 크기를 알 수 없어 비율로 정한 기준을 적용하지 않습니다. 직접 정하려면: memory-keeper config set models.windows.{model} <토큰 수>',
  },
  'clear.belowTokensOnly': {
    en: 'Context at {tokens} tokens, below the threshold of {limit} tokens',
    ko: '컨텍스트 {tokens} 토큰으로 기준 {limit} 토큰보다 낮습니다',
  },
  'clear.belowPercent': {
    en: 'Context at {percent}% ({tokens} tokens), below the threshold of {limit}%',
    ko: '컨텍스트 {percent}%({tokens} 토큰)로 기준 {limit}%보다 낮습니다',
  },
  'clear.belowTokens': {
    en: 'Context at {percent}% ({tokens} tokens), below the threshold of {limit} tokens',
    ko: '컨텍스트 {percent}%({tokens} 토큰)로 기준 {limit} 토큰보다 낮습니다',
  },

  // Sessions that are left alone by their kind.
  'clear.kindNotCleared.cli': {
    en: 'Terminal sessions are not cleared automatically (autoClear.kinds)',
    ko: '터미널 세션은 자동으로 비우지 않도록 설정되어 있습니다(autoClear.kinds)',
  },
  'clear.kindNotCleared.sdk': {
    en: 'Run by a program (SDK or claude -p), so it is not cleared automatically (autoClear.kinds)',
    ko: '프로그램(SDK 또는 claude -p)이 실행한 세션이라 자동으로 비우지 않습니다(autoClear.kinds)',
  },
  'clear.kindNotCleared.editor': {
    en: 'Run by an editor, so it is not cleared automatically (autoClear.kinds)',
    ko: '편집기가 실행한 세션이라 자동으로 비우지 않습니다(autoClear.kinds)',
  },
  'clear.kindNotCleared.other': {
    en: 'Run by another program, so it is not cleared automatically (autoClear.kinds)',
    ko: '다른 프로그램이 실행한 세션이라 자동으로 비우지 않습니다(autoClear.kinds)',
  },
  'clear.kindAsked': {
    en: 'This session does not run in a terminal: another program runs it ({entrypoint}). After a clear that program has a new session, which it may not expect.\nClear it with --anyway.',
    ko: '터미널이 아니라 다른 프로그램({entrypoint})이 실행한 세션입니다. 비우면 그 프로그램의 세션이 예고 없이 새 세션으로 바뀝니다.\n그래도 비우려면 --anyway를 사용하세요.',
  },

  // The breaker: a session is left alone until something changes.
  'clear.breakerNoHelp': {
    en: "Auto-clear is paused: right after the last clear the context already had {tokens} tokens, and the threshold is {limit}. Clearing doesn't help here: raise autoClear.threshold, or load less at startup (CLAUDE.md, tools)",
    ko: '더 비우지 않습니다. 비운 직후에 이미 {tokens} 토큰으로, 기준인 {limit} 토큰 이상입니다. 비워도 소용이 없으니 autoClear.threshold를 올리거나 시작할 때 불러오는 내용(CLAUDE.md, 도구)을 줄이세요',
  },
  'clear.breakerCompactNoHelp': {
    en: "Auto-clear is paused: right after it was compacted the context still had {tokens} tokens, and the threshold is {limit}. Compacting doesn't help here: raise autoClear.threshold, set autoClear.method to clear, or load less at startup (CLAUDE.md, tools)",
    ko: '더 압축하지 않습니다. 압축한 직후에도 {tokens} 토큰으로, 기준인 {limit} 토큰 이상입니다. 압축해도 소용이 없으니 autoClear.threshold를 올리거나, autoClear.method를 clear로 바꾸거나, 시작할 때 불러오는 내용(CLAUDE.md, 도구)을 줄이세요',
  },
  'clear.breakerTooMany': {
    en: 'Auto-clear is paused until {until:time}: {count} {count:clear|clears} in the last hour (autoClear.maxPerHour)',
    ko: '한 시간 안에 {count}번 자동으로 비웠으므로 {until:time}까지 비우지 않습니다(autoClear.maxPerHour)',
  },
  'clear.breakerContinued': {
    en: 'Waiting for you: it continued {count} times in a row without a prompt. Type one to go on',
    ko: '직접 입력한 프롬프트 없이 {count}번 연달아 이어서 작업했으므로 더 이어 가지 않습니다. 프롬프트를 입력하면 계속합니다',
  },
  'clear.breakerReset': {
    en: 'You turned auto-clear back on for this session',
    ko: '제한을 초기화했습니다. 다시 자동으로 비울 수 있습니다',
  },

  // Clear signals that are not followed.
  'clear.signalNotRemoved': {
    en: 'The clear signal {path} cannot be deleted',
    ko: '비우기 신호 {path:을/를} 지울 수 없습니다',
  },
  'clear.signalGone': {
    en: 'The clear signal {path} disappeared before it was read',
    ko: '비우기 신호 {path:이/가} 읽기 전에 사라졌습니다',
  },
  'clear.signalUnreadable': {
    en: 'A clear signal cannot be read: {reason}',
    ko: '비우기 신호를 읽을 수 없습니다: {reason}',
  },
  'clear.signalInvalid': {
    en: 'The clear signal {name} is not valid',
    ko: '비우기 신호 {name:이/가} 올바르지 않습니다',
  },
  'clear.signalMisnamed': {
    en: 'The clear signal {name} is about another session than its name says',
    ko: '비우기 신호 {name}의 이름과 내용의 세션이 다릅니다',
  },
  'clear.signalOld': {
    en: 'The clear signal {name} is {minutes} {minutes:minute|minutes} old',
    ko: '비우기 신호 {name:은/는} {minutes}분 전의 것입니다',
  },
  'clear.signalFuture': {
    en: 'The clear signal {name} is dated in the future',
    ko: '비우기 신호 {name}의 시각이 미래입니다',
  },
  'clear.signalAmbiguous': {
    en: 'An empty clear-signal file needs exactly one session above its threshold; there are {count}',
    ko: '빈 clear-signal 파일은 기준을 넘은 세션이 하나일 때만 쓸 수 있는데, 지금은 {count}개입니다',
  },
  'clear.signalNoSession': {
    en: 'A clear was requested for a session that is not running',
    ko: '실행 중이 아닌 세션의 비우기 신호입니다',
  },
  'clear.signalOtherProcess': {
    en: 'The clear signal names process {pid}, but the session runs in process {other}',
    ko: '비우기 신호에는 프로세스 {pid:으로/로} 되어 있지만, 세션은 프로세스 {other}에서 실행 중입니다',
  },

  // Who is at it.
  'clear.takenBy': {
    en: 'Process {pid} is already clearing it',
    ko: '프로세스 {pid:이/가} 이미 비우고 있습니다',
  },
  'clear.otherTerminal': {
    en: 'This session is being cleared in its other terminal. Try again after that',
    ko: '같은 세션의 다른 터미널을 비우는 중입니다. 끝난 뒤 다시 시도하세요',
  },
  'clear.notRunning': {
    en: 'This session is not being cleared',
    ko: '이 세션은 지금 비우는 중이 아닙니다',
  },
  'clear.ownerEnded': {
    en: 'Nothing is counting down any more: the app that was clearing this session (process {pid}) has ended',
    ko: '이 세션을 비우던 앱(프로세스 {pid})이 종료되어 진행 중인 비우기가 없습니다',
  },
  'clear.appEnded': {
    en: 'The app quit before anything was done',
    ko: '아무것도 하기 전에 앱이 종료되었습니다',
  },
  'clear.noSession': {
    en: 'This session is no longer running',
    ko: '이 세션은 더 이상 실행 중이 아닙니다',
  },
  'clear.twoTerminals': {
    en: 'This session runs in two terminals. Say which one you mean',
    ko: '이 세션은 터미널 두 곳에서 실행 중입니다. 어느 쪽인지 지정하세요',
  },
  'clear.noSuchSession': {
    en: 'There is no running session "{name}". `memory-keeper status` lists them',
    ko: '‘{name}’ 세션이 실행 중이 아닙니다. `memory-keeper status`로 확인하세요',
  },
  'clear.severalSessions': {
    en: '"{name}" matches several sessions. Use the ID or the process ID:{sessions}',
    ko: '‘{name}’에 해당하는 세션이 여러 개입니다. ID나 프로세스 번호로 지정하세요:{sessions}',
  },
  'clear.noPlugin': {
    en: 'The plugin is not active in this session: it would be saved, but nothing would be restored after the clear.\nRun `memory-keeper plugin install` and restart the session with `claude --continue`, or clear it without restoring with --anyway.',
    ko: '이 세션에는 플러그인이 없습니다. 저장은 되지만 비운 뒤 아무것도 복원되지 않습니다.\n`memory-keeper plugin install`을 실행하고 `claude --continue`로 세션을 다시 시작하거나, --anyway로 복원 없이 비우세요.',
  },
  'clear.typeItYourself': {
    en: 'There is no reliable way to clear this session. Type /clear yourself. {reasons}',
    ko: '이 세션을 확실하게 비울 방식이 없습니다. /clear를 직접 입력하세요. {reasons}',
  },
  'clear.ownerEndedEarly': {
    en: 'Process {pid} ended before the clear was done. Try again',
    ko: '프로세스 {pid:이/가} 비우기를 끝내기 전에 종료되었습니다. 다시 시도하세요',
  },

  // The steps.
  'clear.requested': { en: 'Requested by you', ko: '직접 요청했습니다' },
  'clear.thresholdReached': { en: 'Context at {percent}%', ko: '컨텍스트가 {percent}%입니다' },
  'clear.noModToCompact': {
    en: '{reached}. It will be cleared rather than compacted: the mod is not running in this session (autoClear.method)',
    ko: '{reached}. 이 세션에는 mod가 없어 압축하는 대신 비웁니다(autoClear.method)',
  },
  'clear.asking': { en: 'Waiting for your OK', ko: '허락을 기다리고 있습니다' },
  'clear.countdown': {
    en: 'Clearing in {seconds} {seconds:second|seconds}',
    ko: '{seconds}초 후 비웁니다',
  },
  'clear.compactCountdown': {
    en: 'Compacting in {seconds} {seconds:second|seconds}',
    ko: '{seconds}초 후 압축합니다',
  },
  'clear.snoozed': {
    en: 'Snoozed for {minutes} {minutes:minute|minutes}',
    ko: '{minutes}분 미뤘습니다',
  },
  'clear.cancelled': {
    en: 'Cancelled. No automatic clear for {minutes} {minutes:minute|minutes}',
    ko: '취소했습니다. {minutes}분 동안 자동으로 비우지 않습니다',
  },
  'clear.waitedLong': {
    en: '{reason}, for more than {minutes} {minutes:minute|minutes} now. Clears as soon as it is idle',
    ko: '{reason}({minutes}분 넘게 계속됨). 작업이 끝나면 비웁니다',
  },
  'clear.compactWaitedLong': {
    en: '{reason}, for more than {minutes} {minutes:minute|minutes} now. It will be compacted as soon as it is idle',
    ko: '{reason}({minutes}분 넘게 계속됨). 작업이 끝나면 압축합니다',
  },
  'clear.workWentOn': {
    en: 'Work continued in the meantime. Starts over as soon as it is idle',
    ko: '그사이 작업이 이어졌습니다. 작업이 끝나면 다시 시작합니다',
  },
  'clear.saveFailed': {
    en: 'Not cleared, because saving failed: {reason}',
    ko: '저장하지 못해 비우지 않았습니다: {reason}',
  },
  'clear.compactSaveFailed': {
    en: 'Not compacted, because saving failed: {reason}',
    ko: '저장하지 못해 압축하지 않았습니다: {reason}',
  },
  'clear.noTranscript': { en: 'Transcript not found', ko: '대화 기록을 찾지 못했습니다' },
  'clear.transcriptUnreadable': {
    en: 'The transcript cannot be read',
    ko: '대화 기록을 읽을 수 없습니다',
  },
  'clear.handOver': { en: 'The model wrote the hand-over', ko: '모델이 인계 내용을 작성했습니다' },
  'clear.noHandOver': {
    en: 'No hand-over from the model: {reason}',
    ko: '모델의 인계 내용 없음: {reason}',
  },
  'clear.summariesOff': { en: 'Summaries are off', ko: '요약이 꺼져 있습니다' },
  'clear.budgetSpent': { en: "Today's budget is used up", ko: '오늘 예산을 모두 썼습니다' },
  'clear.nothingNew': { en: 'Nothing new to summarize', ko: '새로 요약할 내용이 없습니다' },
  'clear.modelTooSlow': {
    en: 'The model did not answer in time',
    ko: '모델이 제때 응답하지 않았습니다',
  },
  'clear.continuing': { en: 'Telling it to continue', ko: '이어서 작업하라고 알리는 중입니다' },

  // How it ended.
  'clear.compacted': { en: 'Compacted', ko: '압축했습니다' },
  'clear.compactedTo': {
    en: 'Compacted from {before} to {after} tokens',
    ko: '{before} 토큰에서 {after} 토큰으로 압축했습니다',
  },
  'clear.notCompacted': {
    en: 'Claude Code was asked to compact the session and did not. The conversation is saved. Run /compact or /clear in it yourself',
    ko: '압축을 요청했지만 Claude Code가 세션을 압축하지 않았습니다. 대화는 저장되어 있습니다. 세션에서 직접 /compact나 /clear를 실행하세요',
  },
  'clear.continued': {
    en: '{outcome}. Continuing with the hand-over',
    ko: '{outcome}. 인계 내용으로 작업을 이어 갑니다',
  },
  'clear.continuedAlready': {
    en: '{outcome}. Work has already continued, so it was not told to',
    ko: '{outcome}. 이미 작업이 이어지고 있어 따로 알리지 않았습니다',
  },
  'clear.notContinued': {
    en: '{outcome}. It could not be told to continue: {reason}',
    ko: '{outcome}. 이어서 작업하라고 알리지 못했습니다: {reason}',
  },
  'clear.leftIdle': { en: '{outcome}. {reason}', ko: '{outcome}. {reason}' },
  'clear.noDriver': {
    en: 'There is no reliable way to clear it. {reasons}',
    ko: '확실하게 비울 방식이 없습니다. {reasons}',
  },
  /** One of the reasons of `clear.noDriver`: a sentence among others. */
  'clear.driverRefused': { en: '{driver}: {reason}.', ko: '{driver}: {reason}.' },
  'clear.driverFailed': { en: '{driver}: {reason}', ko: '{driver}: {reason}' },
  'clear.claudeCodeEnded': {
    en: 'Claude Code quit while it was being cleared',
    ko: '비우는 중에 Claude Code가 종료되었습니다',
  },
  'clear.noNewSession': {
    en: 'The clear was sent, but no new session started',
    ko: '비우기를 요청했지만 새 세션이 시작되지 않았습니다',
  },
  'clear.interrupted': {
    en: 'Memory Keeper quit in the middle of the clear, so its outcome is unknown',
    ko: '비우는 도중에 Memory Keeper가 종료되어 결과를 알 수 없습니다',
  },
  'clear.failedAfterRestart': {
    en: '{reason}. Memory Keeper quit in the middle of the clear',
    ko: '{reason}. 비우는 도중에 Memory Keeper가 종료되었습니다',
  },
  'clear.mayBeTyped': {
    en: '{reason}. If /clear is in the prompt box, Memory Keeper typed it',
    ko: '{reason}. 입력창에 /clear가 있으면 Memory Keeper가 입력한 것입니다',
  },

  // Why nothing may be typed right now.
  'clear.busy': { en: 'Busy', ko: '작업 중입니다' },
  'clear.notIdle': { en: 'It is not idle', ko: '작업이 끝나지 않았습니다' },
  'clear.waitingFor': {
    en: 'Waiting for you ({what})',
    ko: '응답을 기다리고 있습니다({what})',
  },
  'clear.permissionPrompt': { en: 'permission prompt', ko: '권한 확인' },
  'clear.inputNeeded': { en: 'input needed', ko: '입력 필요' },
  'clear.dialogOpen': { en: 'dialog open', ko: '대화상자 열림' },
  'clear.waitingForAnswer': {
    en: 'Waiting for your answer',
    ko: '질문에 대한 응답을 기다리고 있습니다',
  },
  'clear.stateUnknown': { en: 'Its state is unknown', ko: '무엇을 하는지 알 수 없습니다' },
  'clear.notInForeground': {
    en: 'Suspended, or another program is using its terminal',
    ko: '일시 중단되었거나 다른 프로그램이 터미널을 쓰고 있습니다',
  },
  'clear.sessionEnded': { en: 'The session has ended', ko: '세션이 끝났습니다' },
  'clear.processEnded': { en: 'Process {pid} has ended', ko: '프로세스 {pid:이/가} 끝났습니다' },
  'clear.processReplaced': {
    en: 'Process ID {pid} now belongs to another process',
    ko: '프로세스 번호 {pid:을/를} 이제 다른 프로세스가 쓰고 있습니다',
  },
  'clear.sessionReplaced': {
    en: 'Another session has started in its place',
    ko: '그 자리에 다른 세션이 시작되었습니다',
  },
  'clear.alreadyCleared': {
    en: 'Already cleared, or another session was resumed',
    ko: '이미 비웠거나 다른 세션이 재개되었습니다',
  },
} as const;

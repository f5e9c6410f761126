/** What the drivers say: where a session is, and why nothing can be typed there. */
export const DRIVER = {
  // Names.
  'driver.mod': { en: 'mod', ko: 'mod' },
  'driver.tmux': { en: 'tmux', ko: 'tmux' },
  'driver.screen': { en: 'screen', ko: 'screen' },
  'driver.zellij': { en: 'zellij', ko: 'zellij' },
  'driver.kitty': { en: 'kitty', ko: 'kitty' },
  'driver.wezterm': { en: 'WezTerm', ko: 'WezTerm' },
  'driver.iterm2': { en: 'iTerm2', ko: 'iTerm2' },
  'driver.console': { en: 'console', ko: '콘솔' },
  'driver.desktop': { en: 'desktop', ko: '데스크톱' },

  // Any terminal.
  /** What a terminal's own program says when it fails. */
  'driver.programFailed': { en: '{driver}: {reason}', ko: '{driver}: {reason}' },
  'driver.notIn': { en: 'Not running in {driver}', ko: '{driver}에서 실행되고 있지 않습니다' },
  'driver.noTerminal': { en: 'It has no terminal', ko: '터미널이 없습니다' },
  'driver.someoneTyping': { en: 'Someone is typing in it', ko: '누군가 입력하고 있습니다' },
  'driver.keysLost': {
    en: 'The keys did not reach its terminal',
    ko: '키 입력이 터미널에 전달되지 않았습니다',
  },
  'driver.unknown': {
    en: 'The driver that cleared it is not known',
    ko: '비운 방식을 알 수 없습니다',
  },

  // The mod.
  'driver.modCompacts': {
    en: 'The plugin compacts it from inside Claude Code; no keys are sent',
    ko: 'Claude Code 안의 플러그인이 압축합니다. 키를 입력하지 않습니다',
  },
  'driver.modHow': {
    en: 'The plugin clears it from inside Claude Code; no keys are sent',
    ko: 'Claude Code 안의 플러그인이 비웁니다. 키를 입력하지 않습니다',
  },
  'driver.modNotSeen': {
    en: "The plugin's mod is not active in it (Claude Code 2.1.287 or later)",
    ko: '이 세션에서 플러그인의 mod를 찾지 못했습니다(Claude Code 2.1.287 이상)',
  },
  'driver.modSilent': {
    en: 'The plugin inside Claude Code did not answer',
    ko: 'Claude Code 안의 플러그인이 응답하지 않았습니다',
  },
  'driver.modUnconfirmed': {
    en: 'The plugin inside Claude Code did not confirm the clear',
    ko: 'Claude Code 안의 플러그인이 완료를 알리지 않았습니다',
  },
  'driver.modWorkWentOn': {
    en: 'Work continued in it',
    ko: '그사이 작업이 이어졌습니다',
  },

  // tmux.
  'driver.tmuxHow': { en: 'tmux pane {place}', ko: 'tmux 창 {place}' },
  'driver.tmuxNoPane': {
    en: 'No tmux pane shows its terminal',
    ko: '이 터미널을 보여 주는 tmux 창이 없습니다',
  },
  'driver.tmuxPaneGone': { en: 'Its tmux pane is gone', ko: 'tmux 창이 사라졌습니다' },
  'driver.tmuxCopyMode': {
    en: 'Its tmux pane is in copy mode',
    ko: 'tmux 창이 복사 모드입니다',
  },
  'driver.tmuxSynchronized': {
    en: 'Its tmux pane shares its keys with other panes (synchronize-panes)',
    ko: 'tmux 창이 다른 창과 입력을 공유합니다(synchronize-panes)',
  },
  'driver.tmuxInputOff': {
    en: 'Input is turned off for its tmux pane',
    ko: 'tmux 창이 키 입력을 받지 않습니다',
  },
  'driver.tmuxChanged': {
    en: 'Its tmux pane no longer takes keys',
    ko: 'tmux 창이 더 이상 키 입력을 받지 않습니다',
  },

  // screen.
  'driver.screenHow': {
    en: 'screen window {window} of {session}',
    ko: 'screen {session}의 창 {window}',
  },
  'driver.screenNotOwn': {
    en: 'screen did not start it in a window of its own',
    ko: 'screen이 별도의 창에서 시작하지 않았습니다',
  },
  'driver.screenNotShown': {
    en: 'screen does not show its window',
    ko: 'screen이 창을 보여 주지 않습니다',
  },

  // zellij.
  'driver.zellijHow': {
    en: 'zellij pane {pane} of {session}',
    ko: 'zellij {session}의 창 {pane}',
  },
  'driver.zellijNotOwn': {
    en: 'zellij did not start it in a pane of its own',
    ko: 'zellij가 별도의 창에서 시작하지 않았습니다',
  },
  'driver.zellijNoPane': { en: 'Its zellij pane is gone', ko: 'zellij 창이 없습니다' },
  'driver.zellijSynchronized': {
    en: 'Its zellij pane shares its keys with other panes (sync)',
    ko: 'zellij 창이 다른 창과 입력을 공유합니다(sync)',
  },

  // kitty, WezTerm, iTerm2.
  'driver.kittyHow': { en: 'kitty window {window}', ko: 'kitty 창 {window}' },
  'driver.kittyRemoteOff': {
    en: 'Remote control of kitty is off (allow_remote_control and listen_on in kitty.conf)',
    ko: 'kitty의 원격 제어가 꺼져 있습니다(kitty.conf의 allow_remote_control과 listen_on)',
  },
  'driver.kittyNoWindow': {
    en: 'kitty does not show its process in exactly one window',
    ko: 'kitty의 창 하나에서 프로세스를 확정할 수 없습니다',
  },
  'driver.kittyNoCursor': {
    en: 'kitty does not say where the cursor is',
    ko: 'kitty가 커서 위치를 알려 주지 않습니다',
  },
  'driver.weztermHow': { en: 'WezTerm pane {pane}', ko: 'WezTerm 창 {pane}' },
  'driver.weztermNoPane': {
    en: 'WezTerm does not show its terminal in exactly one pane',
    ko: 'WezTerm의 창 하나에서 터미널을 확정할 수 없습니다',
  },
  'driver.iterm2How': { en: 'iTerm2 session at {tty}', ko: 'iTerm2 세션 {tty}' },
  'driver.iterm2NotRunning': {
    en: 'iTerm2 is not running',
    ko: 'iTerm2가 실행되고 있지 않습니다',
  },
  'driver.iterm2NoSession': {
    en: 'iTerm2 does not show its terminal in exactly one session',
    ko: 'iTerm2의 세션 하나에서 터미널을 확정할 수 없습니다',
  },

  // The Windows console.
  'driver.consoleHow': { en: 'The console of process {pid}', ko: '프로세스 {pid}의 콘솔' },
  'driver.consoleWindowsOnly': { en: 'Only for Windows', ko: 'Windows에서만 쓸 수 있습니다' },
  'driver.consoleUnavailable': {
    en: 'The part that calls Windows (koffi) could not be loaded',
    ko: 'Windows를 호출하는 부분(koffi)을 불러오지 못했습니다',
  },
  'driver.consoleMintty': {
    en: 'It runs in mintty (Git Bash), whose keys do not come from a Windows console',
    ko: 'mintty(Git Bash)에서 실행 중이라 Windows 콘솔로 키를 받지 않습니다',
  },
  'driver.consoleWsl': {
    en: 'It was started from WSL, which has no Windows console',
    ko: 'WSL에서 시작되어 Windows 콘솔이 없습니다',
  },
  'driver.consoleOtherUser': {
    en: 'It runs as another user or as administrator, and Memory Keeper does not',
    ko: '다른 사용자나 관리자 권한으로 실행 중이지만 Memory Keeper는 그렇지 않습니다',
  },
  'driver.consoleElevated': {
    en: 'It and Memory Keeper do not run with the same privileges; one runs as administrator',
    ko: '이 세션과 Memory Keeper의 권한이 다릅니다. 한쪽만 관리자 권한으로 실행 중입니다',
  },
  'driver.consoleNone': { en: 'It has no console', ko: '콘솔이 없습니다' },
  'driver.consoleRefused': {
    en: 'Windows did not open its console (error {code})',
    ko: 'Windows가 콘솔을 열지 않았습니다(오류 {code})',
  },
  'driver.consoleOther': {
    en: 'Its console is another one now',
    ko: '이제 다른 콘솔을 쓰고 있습니다',
  },
  'driver.consoleShared': {
    en: 'Another session shares its console (process {pid})',
    ko: '다른 세션과 콘솔을 함께 쓰고 있습니다(프로세스 {pid})',
  },
  'driver.consoleFull': {
    en: 'Its console did not take all keys',
    ko: '콘솔이 키 입력을 모두 받지 않았습니다',
  },
  'driver.consoleUnreadable': {
    en: 'The screen of its console cannot be read',
    ko: '콘솔 화면을 읽을 수 없습니다',
  },
  'driver.consoleOnlyClear': {
    en: 'The screen of its console cannot be read, so only /clear is typed there',
    ko: '콘솔 화면을 읽을 수 없어 /clear만 입력합니다',
  },
  'driver.consoleVim': {
    en: 'The screen of its console cannot be read, and with vim keys /clear could be a command',
    ko: '콘솔 화면을 읽을 수 없고, vim 키에서는 /clear가 명령이 될 수 있습니다',
  },

  // The prompt box.
  'driver.boxDraft': {
    en: 'There is a draft in the prompt box',
    ko: '입력창에 작성 중인 글이 있습니다',
  },
  'driver.boxTwoDrafts': {
    en: 'There is a draft in the prompt box and another one stashed; only one can be kept',
    ko: '입력창에 작성 중인 글이 있고 이전 글도 보관되어 있습니다. 하나만 보관할 수 있습니다',
  },
  'driver.boxHalfTyped': {
    en: 'A half-typed command or name is in the prompt box, with its suggestions open',
    ko: '입력창에 쓰다 만 명령이나 이름이 있고 추천 목록이 열려 있습니다',
  },
  'driver.boxNotStashed': {
    en: 'The draft in the prompt box could not be stashed',
    ko: '입력창의 글을 잠시 보관하지 못했습니다',
  },
  'driver.boxOtherCommand': {
    en: 'The command list suggests another command',
    ko: '명령 목록에 다른 명령이 표시됩니다',
  },
  'driver.boxNotTyped': {
    en: 'The prompt box did not take the text',
    ko: '입력창에 글이 입력되지 않았습니다',
  },
  'driver.boxSearchStuck': {
    en: 'The search in earlier prompts did not close',
    ko: '이전 프롬프트 검색이 닫히지 않았습니다',
  },
  'driver.boxNoInsertMode': {
    en: 'vim did not enter INSERT mode',
    ko: 'vim의 INSERT 모드가 켜지지 않았습니다',
  },
  'driver.boxShellMode': {
    en: 'The prompt box is in shell mode (!)',
    ko: '입력창이 셸 모드입니다(!)',
  },
  'driver.boxVimMode': {
    en: "The prompt box is in vim's {mode} mode",
    ko: '입력창이 vim의 {mode} 모드입니다',
  },
  'driver.boxChanged': {
    en: 'The prompt box now holds something else: "{text}"',
    ko: '이제 입력창에 다른 글이 있습니다: "{text}"',
  },
  'driver.boxesSeveral': {
    en: 'There is more than one prompt box on the screen',
    ko: '화면에 입력창이 두 개 이상 있습니다',
  },
  'driver.boxSearch': {
    en: 'A search in earlier prompts is open',
    ko: '이전 프롬프트 검색이 열려 있습니다',
  },
  'driver.boxTranscript': { en: 'The transcript is open', ko: '대화 기록이 열려 있습니다' },
  'driver.boxNoCursor': {
    en: 'The cursor is not in the prompt box',
    ko: '커서가 입력창에 있지 않습니다',
  },
  'driver.boxHidden': {
    en: 'No prompt box in sight: a dialog or another view is open',
    ko: '입력창이 보이지 않습니다. 대화상자나 다른 화면이 열려 있습니다',
  },
  'driver.screenRestless': {
    en: 'Its screen keeps changing',
    ko: '화면이 계속 바뀌고 있습니다',
  },
  'driver.wordsInBox': {
    en: 'You were typing at that moment. Your words are in the prompt box',
    ko: '그 순간 입력 중이셨습니다. 입력하신 글은 입력창에 있습니다',
  },
  'driver.wordsInHistory': {
    en: 'You were typing at that moment. Press the up arrow to get your words back',
    ko: '그 순간 입력 중이셨습니다. 위쪽 화살표 키를 누르면 입력하신 글이 되살아납니다',
  },
  'driver.leftTyped': {
    en: '{reason}. "{typed}" may still be in the prompt box',
    ko: '{reason}. 입력창에 {typed:이/가} 남아 있을 수 있습니다',
  },
  'driver.leftDraft': {
    en: '{reason}. Your draft is stashed: press Ctrl+S to get it back',
    ko: '{reason}. 작성 중이던 글은 보관되어 있습니다. Ctrl+S로 되살릴 수 있습니다',
  },
  'driver.leftMaybeDraft': {
    en: '{reason}. If you had a draft, it is stashed: press Ctrl+S to get it back',
    ko: '{reason}. 작성 중이던 글이 있었다면 보관되어 있으며 Ctrl+S로 되살릴 수 있습니다',
  },

  // The desktop.
  'driver.desktopHow': {
    en: 'The window of {name}, process {pid}',
    ko: '{name} 창, 프로세스 {pid}',
  },
  'driver.desktopOnlyClear': {
    en: 'The prompt box cannot be read from the desktop, so only /clear is typed there',
    ko: '데스크톱에서는 입력창의 내용을 볼 수 없어 /clear만 입력합니다',
  },
  'driver.desktopNoPlugin': {
    en: 'The plugin is not active in it, and without its guard other words could be sent along',
    ko: '이 세션에서 플러그인을 찾지 못했습니다. 보호 장치 없이는 다른 글이 함께 보내질 수 있습니다',
  },
  'driver.desktopUnavailable': {
    en: 'Not available here: {reason}',
    ko: '여기서는 쓸 수 없습니다: {reason}',
  },
  'driver.noDisplay': { en: 'It has no display', ko: '디스플레이가 없습니다' },
  'driver.waylandOnly': {
    en: 'It runs under Wayland without X, where programs cannot press keys in other windows',
    ko: 'X 없이 Wayland에서 실행 중이라 다른 창에 키를 입력할 수 없습니다',
  },
  'driver.vimNeedsPaste': {
    en: '{reason}, and with vim keys /clear can only be pasted',
    ko: '{reason}. vim 키에서는 /clear를 붙여 넣을 수만 있습니다',
  },
  'driver.noGuard': {
    en: 'The guard file that keeps other words from being sent could not be written',
    ko: '다른 글이 함께 보내지지 않게 막는 파일을 쓰지 못했습니다',
  },
  'driver.windowNoKeyboard': {
    en: 'Its window does not take the keyboard: {reason}',
    ko: '창이 키보드 입력을 받지 않습니다: {reason}',
  },
  'driver.notPasted': {
    en: 'Its terminal did not paste the text',
    ko: '터미널에 글이 붙여 넣어지지 않았습니다',
  },
  'driver.otherWordsInClipboard': {
    en: 'Other words were in the prompt box. Nothing was sent, and they are in the clipboard: {words}',
    ko: '입력창에 다른 글이 있었습니다. 아무것도 보내지 않았고, 그 글은 클립보드에 있습니다: {words}',
  },
  'driver.otherWordsInHistory': {
    en: 'Other words were in the prompt box. Nothing was sent, and they are in its history: {words}',
    ko: '입력창에 다른 글이 있었습니다. 아무것도 보내지 않았고, 그 글은 입력 기록에 있습니다: {words}',
  },
  'driver.typistMissing': {
    en: 'The typing component is not included here; the app and the npm package have it',
    ko: '입력을 맡는 부분이 없습니다. 앱과 npm 패키지에 들어 있습니다',
  },
  'driver.typistNotStarted': {
    en: 'The typing component could not be started: {reason}',
    ko: '입력을 맡는 부분을 시작하지 못했습니다: {reason}',
  },
  'driver.typistExited': {
    en: 'The typing component exited with code {code}',
    ko: '입력을 맡는 부분이 종료되었습니다(코드 {code})',
  },
  'driver.typistKilled': {
    en: 'The typing component was ended by {signal}',
    ko: '입력을 맡는 부분이 종료되었습니다({signal})',
  },
  'driver.typistSilent': {
    en: 'The typing component did not answer',
    ko: '입력을 맡는 부분이 응답하지 않았습니다',
  },
  'driver.typistConfused': {
    en: 'The typing component gave an answer that makes no sense',
    ko: '입력을 맡는 부분이 알 수 없는 응답을 했습니다',
  },
  'driver.windowNotFound': {
    en: 'The window of its terminal was not found',
    ko: '터미널 창을 찾지 못했습니다',
  },
  'driver.windowsSeveral': {
    en: '{name} has {count} windows, and there is no telling which one it is',
    ko: '{name}의 창이 {count}개라 어느 창인지 알 수 없습니다',
  },
  'driver.windowMinimized': {
    en: 'The window of {name} is minimized',
    ko: '{name} 창이 최소화되어 있습니다',
  },
  'driver.windowGone': {
    en: 'The window is gone or minimized',
    ko: '창이 없거나 최소화되어 있습니다',
  },
  'driver.windowsTabs': {
    en: 'On Windows there is no telling which tab a terminal shows',
    ko: 'Windows에서는 터미널이 어느 탭을 보여 주는지 알 수 없습니다',
  },
  'driver.programBetween': {
    en: '{name} runs between its terminal and the window',
    ko: '터미널과 창 사이에 {name:이/가} 있습니다',
  },
  'driver.terminalNotShown': {
    en: '{name} does not show its terminal',
    ko: '{name}에 이 터미널이 보이지 않습니다',
  },
  'driver.terminalsSeveral': {
    en: '{name} has {count} terminals in one window, and there is no telling which one is shown',
    ko: '{name} 창 하나에 터미널이 {count}개라 어느 것이 보이는지 알 수 없습니다',
  },
  'driver.screenLocked': { en: 'The screen is locked', ko: '화면이 잠겨 있습니다' },
  'driver.screenLockedBy': {
    en: 'The screen is locked ({program} is running)',
    ko: '화면이 잠겨 있습니다({program} 실행 중)',
  },
  'driver.keyHeld': { en: 'A key is being held down', ko: '키가 눌려 있습니다' },
  'driver.keyMissing': {
    en: 'The current keyboard layout has no key for "{key}"',
    ko: '현재 키보드 배열에 "{key}" 키가 없습니다',
  },
  'driver.otherWindowActive': {
    en: 'Another window has become active',
    ko: '다른 창이 활성화되었습니다',
  },
  'driver.keyboardElsewhere': {
    en: 'The keyboard focus is not in its window',
    ko: '키보드 입력이 다른 곳으로 가고 있습니다',
  },
  'driver.keyboardTaken': {
    en: 'A locked screen or an open menu holds the keyboard',
    ko: '잠긴 화면이나 열린 메뉴가 키보드를 쓰고 있습니다',
  },
  'driver.clipboardNoText': {
    en: 'The clipboard holds no text',
    ko: '클립보드에 텍스트가 없습니다',
  },
  'driver.clipboardImage': {
    en: 'The clipboard holds an image',
    ko: '클립보드에 이미지가 있습니다',
  },
  'driver.clipboardTooLarge': {
    en: 'The clipboard holds too much to keep',
    ko: '클립보드의 내용이 너무 커서 보관할 수 없습니다',
  },
  'driver.clipboardSilent': {
    en: 'The program that owns the clipboard does not answer',
    ko: '클립보드를 쓰는 프로그램이 응답하지 않습니다',
  },
} as const;

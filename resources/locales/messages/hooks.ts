/**
 * What the hooks tell the user and Claude. How each begins is fixed (F4). Texts for Claude are
 * instructions; texts for the user are notes below a prompt.
 */
import { NOTES } from '../../../core/platform/text/markers.ts';

export const HOOKS = {
  'hooks.rulesInjected': { en: NOTES.rulesInjected, ko: NOTES.rulesInjected },
  'hooks.rulesError': {
    en: `${NOTES.rulesError}: {reason}]`,
    ko: `${NOTES.rulesError}: {reason}]`,
  },
  'hooks.problem': { en: `${NOTES.keeper} {reason}`, ko: `${NOTES.keeper} {reason}` },
  'hooks.claudeTooOld': {
    en: `${NOTES.keeper} Nothing is kept: this Claude Code is too old. Update it to {oldest} or later: claude update`,
    ko: `${NOTES.keeper} 대화가 저장되지 않습니다. Claude Code가 너무 오래된 버전입니다. {oldest} 이상으로 업데이트하세요: claude update`,
  },
  'hooks.compacted': {
    en: `${NOTES.keeper} Conversation compacted. All of it is saved, and Claude goes on with a briefing and the newest messages.`,
    ko: `${NOTES.keeper} 대화를 압축했습니다. 전체 대화는 저장되어 있고, Claude는 브리핑과 최근 메시지로 이어갑니다.`,
  },
  'hooks.compactedClaude': {
    en: 'What follows are notes about the conversation up to here, not a message from the user. The newest messages come after them unchanged. If work was under way, continue it from there.',
    ko: '아래는 여기까지의 대화에 관한 메모이며 사용자의 메시지가 아닙니다. 최근 메시지는 그 뒤에 그대로 이어집니다. 진행 중이던 작업이 있으면 거기서부터 계속하세요.',
  },
  'hooks.compactedFocus': {
    en: 'With /compact the user asked to keep this in mind:',
    ko: '사용자가 /compact와 함께 다음을 염두에 두라고 했습니다.',
  },
  'hooks.compactedBy.manual': {
    en: 'Asked for by /compact',
    ko: '/compact로 요청',
  },
  'hooks.compactedBy.auto': {
    en: 'Claude Code was about to compact the session by itself',
    ko: 'Claude Code가 자동으로 압축하려던 세션',
  },
  'hooks.compactedBy.plugin': {
    en: 'Asked for by a plugin of Claude Code',
    ko: 'Claude Code의 플러그인이 요청',
  },
  'hooks.warn': {
    en: `${NOTES.keeper} Context {percent}% of {window} tokens. Finish the current step, then run /clear. The conversation is saved and will be restored.`,
    ko: `${NOTES.keeper} Context {percent}% (전체 {window} 토큰). 지금 하던 단계를 마친 뒤 /clear 하세요. 나눈 대화는 저장되어 다시 이어집니다.`,
  },
  'hooks.critical': {
    en: `${NOTES.critical} Context {percent}% of {window} tokens. Run /clear soon. The conversation is saved and will be restored.`,
    ko: `${NOTES.critical} Context {percent}% (전체 {window} 토큰). 곧 /clear 하세요. 나눈 대화는 저장되어 다시 이어집니다.`,
  },
  'hooks.warnTokens': {
    en: `${NOTES.keeper} Context {tokens} tokens. Finish the current step, then run /clear. The conversation is saved and will be restored.`,
    ko: `${NOTES.keeper} Context {tokens} 토큰. 지금 하던 단계를 마친 뒤 /clear 하세요. 나눈 대화는 저장되어 다시 이어집니다.`,
  },
  'hooks.criticalTokens': {
    en: `${NOTES.critical} Context {tokens} tokens. Run /clear soon. The conversation is saved and will be restored.`,
    ko: `${NOTES.critical} Context {tokens} 토큰. 곧 /clear 하세요. 나눈 대화는 저장되어 다시 이어집니다.`,
  },
  'hooks.warnTokensClaude': {
    en: `${NOTES.contextWarning} Usage: {tokens} tokens. Finish the current step, avoid reading large files, and tell the user that it is time to run /clear.`,
    ko: `${NOTES.contextWarning} Usage: {tokens} 토큰. 하던 단계를 마무리하고 큰 파일은 읽지 말며, 사용자에게 /clear 할 때가 되었다고 알린다.`,
  },
  'hooks.criticalTokensClaude': {
    en: `${NOTES.contextWarning} Usage: {tokens} tokens. CRITICAL: wrap up now in a few words, start nothing new, and ask the user to run /clear.`,
    ko: `${NOTES.contextWarning} Usage: {tokens} 토큰. 매우 위험: 짧게 끝맺고 새 일을 시작하지 말며, 사용자에게 /clear를 요청한다.`,
  },
  'hooks.warnClaude': {
    en: `${NOTES.contextWarning} Usage: {percent}%. Finish the current step, avoid reading large files, and tell the user that it is time to run /clear.`,
    ko: `${NOTES.contextWarning} Usage: {percent}%. 하던 단계를 마무리하고 큰 파일은 읽지 말며, 사용자에게 /clear 할 때가 되었다고 알린다.`,
  },
  'hooks.criticalClaude': {
    en: `${NOTES.contextWarning} Usage: {percent}%. CRITICAL: wrap up now in a few words, start nothing new, and ask the user to run /clear.`,
    ko: `${NOTES.contextWarning} Usage: {percent}%. 매우 위험: 짧게 끝맺고 새 일을 시작하지 말며, 사용자에게 /clear를 요청한다.`,
  },
  'hooks.notKept': {
    en: `${NOTES.keeper} This conversation is not being saved: {reason}. What is missing is saved as soon as that is possible.`,
    ko: `${NOTES.keeper} 이 대화가 저장되지 않고 있습니다. {reason}. 저장할 수 있게 되면 빠진 부분까지 바로 저장합니다.`,
  },
  'hooks.savedAgain': {
    en: `${NOTES.keeper} Saved again: nothing was lost.`,
    ko: `${NOTES.keeper} 다시 저장되고 있습니다. 잃어버린 내용은 없습니다.`,
  },
  'hooks.savedAgainPart': {
    en: `${NOTES.keeper} Saved again. What was said here since {since:date} may be incomplete: Claude Code replaced its transcript before it could be saved.`,
    ko: `${NOTES.keeper} 다시 저장되고 있습니다. 다만 {since:date} 이후의 내용은 일부 빠졌을 수 있습니다. 저장하기 전에 Claude Code의 대화 기록 파일이 바뀌었습니다.`,
  },
  'hooks.indexSetAside': {
    en: `${NOTES.keeper} memory-index.json could not be used and was set aside as {file}. Saved again: nothing that was said here was lost.`,
    ko: `${NOTES.keeper} memory-index.json을 사용할 수 없어 {file:이라는/라는} 이름으로 따로 보관했습니다. 다시 저장되고 있으며, 이 대화에서 잃어버린 내용은 없습니다.`,
  },
  'hooks.saved': {
    en: `${NOTES.keeper} Saved to {file}`,
    ko: `${NOTES.keeper} {file}에 저장했습니다`,
  },
  'hooks.heldBack': {
    en: `${NOTES.keeper} This session was just being cleared, and your message would have been sent along with the clear. It was not sent. You will find it in the clipboard and in the activity list of Memory Keeper.`,
    ko: `${NOTES.keeper} 방금 이 세션을 비우는 중이어서 입력하신 글이 함께 보내질 뻔했습니다. 보내지 않았고, 클립보드와 Memory Keeper의 활동 기록에 그대로 있습니다.`,
  },
  'hooks.remindMissing': {
    en: `${NOTES.keeper} Missing in today's memory:\n{steps}`,
    ko: `${NOTES.keeper} 오늘 메모리에 빠진 것:\n{steps}`,
  },
  'hooks.blockMissing': {
    en: "Before you stop: today's memory of this project is incomplete. Do the following once, then stop. You will not be asked for it again.\n{steps}",
    ko: '끝내기 전에: 오늘 이 프로젝트의 메모리가 아직 다 저장되지 않았다. 아래를 한 번만 하고 끝낸다. 같은 것은 다시 묻지 않는다.\n{steps}',
  },
  'hooks.missing.l2': {
    en: '- L2, facts: run `memory-keeper memory facts --ask` with Bash, then call the Agent tool with subagent_type "memory-keeper:l2-summarizer" on the file it names. The answer is saved automatically.',
    ko: '- L2, 사실: Bash로 `memory-keeper memory facts --ask`를 실행하고, 알려 준 파일에 대해 Agent 도구를 subagent_type "memory-keeper:l2-summarizer"로 부른다. 답은 저절로 저장된다.',
  },
  'hooks.missing.l3': {
    en: '- L3, concepts: created automatically with the facts; nothing else to do.',
    ko: '- L3, 개념: 사실과 함께 저절로 만들어지므로 따로 할 일은 없다.',
  },
  'hooks.missing.l4': {
    en: '- L4, permanent memory: run `memory-keeper memory compress` with Bash.',
    ko: '- L4, 영구 메모리: Bash로 `memory-keeper memory compress`를 실행한다.',
  },
  'hooks.missing.memory': {
    en: '- memory.md: run `memory-keeper memory delta extract` with Bash, then call the Agent tool with subagent_type "memory-keeper:delta-summarizer" on {file}. The answer is saved automatically.',
    ko: '- memory.md: Bash로 `memory-keeper memory delta extract`를 실행하고, {file}에 대해 Agent 도구를 subagent_type "memory-keeper:delta-summarizer"로 부른다. 답은 저절로 저장된다.',
  },
  'hooks.clearNear': {
    en: 'Clearing in {seconds} seconds, once idle. Everything is saved. To stop it: memory-keeper clear --cancel {session}',
    ko: '{seconds}초 뒤, 작업이 끝나면 비웁니다. 대화는 저장됩니다. 멈추려면: memory-keeper clear --cancel {session}',
  },
  'hooks.compactNear': {
    en: 'Compacting in {seconds} seconds, once idle. Everything is saved. To stop it: memory-keeper clear --cancel {session}',
    ko: '{seconds}초 뒤, 작업이 끝나면 압축합니다. 대화는 저장됩니다. 멈추려면: memory-keeper clear --cancel {session}',
  },
  'hooks.compactAsked': {
    en: 'Compact this session? Everything is saved. To confirm: memory-keeper clear {session}',
    ko: '이 세션을 압축할까요? 대화는 저장됩니다. 허락하려면: memory-keeper clear {session}',
  },
  'hooks.clearAsked': {
    en: 'Clear this session? Everything is saved. To confirm: memory-keeper clear {session}',
    ko: '이 세션을 비울까요? 대화는 저장됩니다. 허락하려면: memory-keeper clear {session}',
  },
  'hooks.notObject': {
    en: 'The hook received unexpected input: not a JSON object',
    ko: '훅이 받은 입력이 JSON 객체가 아닙니다',
  },
  'hooks.noSession': {
    en: 'The hook received unexpected input: no session_id',
    ko: '훅이 받은 입력에 session_id가 없습니다',
  },
  'hooks.notJson': {
    en: 'The hook received input that is not JSON',
    ko: '훅이 받은 입력이 JSON이 아닙니다',
  },
} as const;

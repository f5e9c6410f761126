/** Going back to a conversation that was cleared (K9), and why that is not possible. */
export const RESUME = {
  'resume.none': {
    en: 'No conversation has been cleared in {project} yet. Others: claude --resume',
    ko: '{project}에는 아직 비운 대화가 없습니다. 다른 대화는 claude --resume으로 여세요',
  },
  'resume.noneNamed': {
    en: 'No cleared conversation matches "{name}". `memory-keeper resume --list` lists those of this project',
    ko: '‘{name}’에 해당하는 비운 대화가 없습니다. `memory-keeper resume --list`로 이 프로젝트의 대화를 확인하세요',
  },
  'resume.several': {
    en: '"{name}" matches several conversations. Use more of the ID:{conversations}',
    ko: '‘{name}’에 해당하는 대화가 여러 개입니다. ID를 더 길게 입력하세요:{conversations}',
  },
  'resume.transcriptGone': {
    en: 'Claude Code has deleted this conversation: it keeps them for 30 days, unless cleanupPeriodDays says otherwise. What was said is still in memory: see Memory ▸ Transcript, or search for it in {project}: memory-keeper memory search <words>',
    ko: 'Claude Code에 이 대화가 더 이상 없습니다. Claude Code는 대화를 30일간 보관한 뒤 지웁니다(cleanupPeriodDays로 변경 가능). 나눈 대화는 메모리에 남아 있습니다. 메모리 ▸ 대화 기록에서 보거나 {project}에서 검색하세요: memory-keeper memory search <단어>',
  },
  'resume.folderGone': {
    en: 'The folder of this conversation no longer exists: {folder}. Claude Code can only resume it there',
    ko: '이 대화의 폴더가 더 이상 없습니다: {folder}. Claude Code는 그 폴더에서만 대화를 이어서 열 수 있습니다',
  },
  'resume.oddFolder': {
    en: 'The name of the folder has control characters, so a command with it is not safe to paste. Go to the folder yourself and run: claude --resume {session}',
    ko: '폴더 이름에 제어 문자가 있어 명령을 붙여 넣으면 안전하지 않습니다. 그 폴더로 직접 이동한 뒤 실행하세요: claude --resume {session}',
  },
  'resume.isOpen': {
    en: 'This conversation is already open in process {pid}. Go on there, or close it first',
    ko: '이 대화는 이미 프로세스 {pid}에서 열려 있습니다. 그곳에서 계속하거나 먼저 닫으세요',
  },
} as const;

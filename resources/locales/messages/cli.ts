/** What the command line says where something it was told to do cannot be done. */
export const CLI = {
  /** Wrong words on the command line, which is English. */
  'cli.usage': { en: '{words}', ko: '{words}' },
  'cli.folderGone': {
    en: 'The current folder no longer exists',
    ko: '현재 폴더가 더 이상 없습니다',
  },
  'cli.cannotRun': {
    en: '{program} cannot be run: {words}',
    ko: '{program:을/를} 실행할 수 없습니다: {words}',
  },
} as const;

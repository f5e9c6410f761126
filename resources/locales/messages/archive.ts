/** Export and import of a project's memory (M20). */
export const ARCHIVE = {
  // Why a file is not imported.
  'archive.refused': {
    en: 'Cannot import {file}: {reason}. Nothing was changed.',
    ko: '{file:을/를} 가져올 수 없습니다: {reason}. 아무것도 바꾸지 않았습니다.',
  },
  'archive.notImported': {
    en: 'Cannot import this memory: {reason}. Nothing was changed.',
    ko: '이 메모리를 가져올 수 없습니다: {reason}. 아무것도 바꾸지 않았습니다.',
  },
  'archive.missing': { en: 'No such file: {file}', ko: '파일이 없습니다: {file}' },
  'archive.notAFile': { en: 'It is not a file', ko: '파일이 아닙니다' },
  'archive.tooLarge': { en: 'It is too large', ko: '파일이 너무 큽니다' },
  'archive.damaged': {
    en: 'It is damaged or not a zip archive ({words})',
    ko: '손상되었거나 zip 파일이 아닙니다({words})',
  },
  'archive.tooManyFiles': {
    en: 'It holds more than {most} files',
    ko: '파일이 {most}개보다 많이 들어 있습니다',
  },
  'archive.duplicate': { en: '{name} is in it twice', ko: '{name:이/가} 두 번 들어 있습니다' },
  'archive.contentsTooLarge': {
    en: 'Its contents are too large',
    ko: '들어 있는 내용이 너무 큽니다',
  },
  'archive.contentsTooDense': {
    en: 'Its contents are far larger than the file itself',
    ko: '들어 있는 내용이 파일 크기에 비해 지나치게 큽니다',
  },
  'archive.insideFile': {
    en: '{name} is inside a file instead of a folder',
    ko: '{name:이/가} 폴더가 아닌 파일 아래에 있습니다',
  },
  'archive.foreignName': {
    en: '{name} is not the name of a memory file',
    ko: '{name:은/는} 메모리 파일의 이름이 아닙니다',
  },
  'archive.notPlain': {
    en: '{name} is a link or a device, not a file',
    ko: '{name:은/는} 파일이 아니라 링크나 장치입니다',
  },
  'archive.encrypted': { en: '{name} is encrypted', ko: '{name:이/가} 암호화되어 있습니다' },
  'archive.unknownPacking': {
    en: '{name} is compressed with an unknown method',
    ko: '{name}의 압축 방식을 알 수 없습니다',
  },
  'archive.entryTooLarge': { en: '{name} is too large', ko: '{name:이/가} 너무 큽니다' },
  'archive.entryTooDense': {
    en: '{name} unpacks to far more than its size',
    ko: '{name:은/는} 압축을 풀면 지나치게 커집니다',
  },
  'archive.noManifest': {
    en: 'It has no manifest, so it is not a Memory Keeper archive',
    ko: '매니페스트가 없어 Memory Keeper의 보관 파일이 아닙니다',
  },
  'archive.foreignManifest': {
    en: 'Its manifest is not from Memory Keeper',
    ko: '매니페스트가 Memory Keeper의 것이 아닙니다',
  },
  'archive.newer': {
    en: 'It was made by a newer Memory Keeper (format {format}; this version reads up to {known})',
    ko: '더 새로운 Memory Keeper가 만들었습니다(형식 {format}, 이 버전은 {known}까지 읽음)',
  },
  'archive.manifestMismatch': {
    en: 'Its files do not match its manifest',
    ko: '들어 있는 파일이 매니페스트와 다릅니다',
  },
  'archive.badChecksum': {
    en: '{name} is damaged: its checksum does not match',
    ko: '{name:이/가} 손상되었습니다. 체크섬이 다릅니다',
  },
  'archive.foreignIndex': {
    en: 'memory-index.json names files that are not memory files',
    ko: 'memory-index.json이 메모리가 아닌 파일을 가리킵니다',
  },
  'archive.noMemory': {
    en: 'There is no memory in {folder}: no memory.md, facts.json, concepts.json or sessions folder',
    ko: '{folder}에 메모리가 없습니다. memory.md, facts.json, concepts.json, sessions 중 아무것도 없습니다',
  },
  'archive.ownMemory': {
    en: '{path} is already the memory of this project',
    ko: '{path:은/는} 이미 이 프로젝트의 메모리입니다',
  },
  'archive.unstorable': {
    en: '{name} is a link, or its name cannot be stored in an archive. Move it away first.',
    ko: '{name:은/는} 링크이거나 보관 파일에 담을 수 없는 이름입니다. 먼저 다른 곳으로 옮기세요.',
  },
  'archive.diskFull': {
    en: 'The disk is full. Nothing was changed.',
    ko: '디스크가 가득 차서 아무것도 바꾸지 않았습니다.',
  },
  'archive.busy': {
    en: 'Could not import {file}: another process keeps writing to this memory. Try again later.',
    ko: '다른 곳에서 이 메모리에 계속 쓰고 있어 {file:을/를} 가져오지 못했습니다. 잠시 후 다시 시도하세요.',
  },
  'archive.noUndo': { en: 'There is no import to undo', ko: '되돌릴 가져오기가 없습니다' },

  // What a person should know of an import.
  'archive.bringsRules': {
    en: 'Includes memory/rules.md: its rules go to Claude with your prompts in this project',
    ko: 'memory/rules.md가 포함되어 있습니다. 이 프로젝트에서는 그 규칙이 프롬프트와 함께 Claude에 전달됩니다',
  },
  'archive.bringsSettings': {
    en: 'Includes memory/config.json: its settings apply in this project',
    ko: 'memory/config.json이 포함되어 있습니다. 이 프로젝트에 그 설정이 적용됩니다',
  },
  'archive.steeringSkipped': {
    en: '{name}: skipped, because it would control your sessions in this project. Import with Replace to include it.',
    ko: '{name}: 이 프로젝트의 세션을 좌우할 수 있어 제외했습니다. 기존 메모리를 바꾸는 방식으로 가져오면 포함됩니다.',
  },
  'archive.keptYours': {
    en: '{name}: kept yours; the imported one differs and was skipped',
    ko: '{name}: 기존 파일을 유지하고, 내용이 다른 가져온 파일은 제외함',
  },
  'archive.skipped': { en: '{name}: not recognized, skipped', ko: '{name}: 해석할 수 없어 제외함' },
  'archive.skippedUnreadable': {
    en: '{name}: cannot be read, skipped',
    ko: '{name}: 읽을 수 없어 제외함',
  },
  'archive.skippedNotObject': {
    en: '{name}: not a JSON object, skipped',
    ko: '{name}: JSON 객체가 아니어서 제외함',
  },
  'archive.skippedItems': {
    en: '{name}: not recognized, skipped: {items:list}',
    ko: '{name}: 해석할 수 없어 제외함: {items:list}',
  },
  'archive.skippedManyItems': {
    en: '{name}: not recognized, skipped: {items:list} and {count} more',
    ko: '{name}: 해석할 수 없어 제외함: {items:list} 외 {count}건',
  },
  'archive.skippedLines': {
    en: '{name}: skipped {count} of {total} lines that were not recognized',
    ko: '{name}: {total}줄 중 {count}줄을 해석할 수 없어 제외함',
  },

  // Export.
  'archive.noFolder': {
    en: 'No such folder: {folder}. Nothing was written.',
    ko: '폴더가 없습니다: {folder}. 아무것도 쓰지 않았습니다.',
  },
  'archive.cannotExportFile': {
    en: '{name} is too large to export',
    ko: '{name:이/가} 너무 커서 내보낼 수 없습니다',
  },
  'archive.cannotExportSoMany': {
    en: '{count} files are too many to export',
    ko: '파일 {count}개는 너무 많아 내보낼 수 없습니다',
  },
} as const;

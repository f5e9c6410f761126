/**
 * What the user reads, in the user's language (G6). The texts are data in resources/messages.json.
 */
import messages from '../resources/messages.json' with { type: 'json' };

export type Language = keyof typeof messages;
export type MessageKey = keyof (typeof messages)['en'];

export function languageFrom(env: NodeJS.ProcessEnv): Language {
  const locale = env.MEMORY_KEEPER_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return locale.toLowerCase().startsWith('ko') ? 'ko' : 'en';
}

export function message(
  language: Language,
  key: MessageKey,
  values: Record<string, string | number> = {},
): string {
  return messages[language][key].replace(/\{(\w+)\}/g, (all, name: string) =>
    String(values[name] ?? all),
  );
}

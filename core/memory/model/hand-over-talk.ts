/**
 * Takes the talk around a hand-over out (K3): "Sure! Here it is:" before it, an offer behind it.
 * What names work stays, however it begins: a greeting too much does no harm, a lost line does.
 */

const MAX_TALK_CHARS = 260;
/** A file, a command, a name of code: that is no mere talk. */
const OF_WORK = /`|\w\/\w|\b\w+\.[a-z]{1,5}\b|_/;

const GREETING =
  /^(?:sure|of course|certainly|absolutely|okay|ok|alright|great|got it|understood|happy to|here(?:'s| is| are| you go| it is)|below (?:is|you)|this is|the following|natürlich|klar|gern|selbstverständlich|hier (?:ist|kommt|sind)|voici|bien sûr|d'accord|claro|por supuesto|aqu[ií]|segue|com certeza|ecco|certo|конечно|вот|хорошо)(?![\p{L}\p{N}])|^(?:네[,.! ]|물론|알겠|아래는|아래에|다음은|はい|承知|以下|了解|もちろん|好的|当然)/iu;
const OF_HAND_OVER =
  /hand-?\s?(?:over|off)|summary|session|인계|요약|정리|세션|引き継ぎ|引継|まとめ|セッション|交接|总结|摘要|会话|übergabe|zusammenfassung|passation|résumé|resumen|traspaso|sesi[óo]n|resumo|sess[ãa]o|riepilogo|сводк|передач|сесси/i;
const MAX_BARE_GREETING = 40;

const OFFER =
  /^(?:please )?let me know|^would you like|^do you want me|^(?:shall|should) i (?:also|save|add|write|expand)|^feel free|^i hope (?:this|that|it)|^is there anything|^if you(?:'d| would)? (?:like|need|want)[^.]*(?:more|further|any|additional|detail|else|expand)|^i(?:'ve| have) kept (?:it|this)|^(?:혹시|추가로|더)?\s*(?:더 )?(?:필요|궁금)[^.]*(?:말씀|알려)|^혹시 |^(?:他に|ご不明|必要であれば|何か)|^如果?(?:您|你)?(?:需要|还需|想)|^(?:sag|gib|melde)[^.]*(?:bescheid|mir|dich)|^(?:soll ich|möchte(?:st du|n sie))|^n'hésite|^souhaite|^(?:dime|avísame|¿?quieres que)|^(?:avise|me avise|se precisar|se quiser)|^fammi sapere|^(?:дайте знать|если (?:нужно|хотите))/i;

/** A title that says only what it is. */
const TITLE =
  /^(?:#+[ \t]+|\*\*)(?:(?:session|the|project)[ \t]+)?(?:hand-?[ \t]?(?:over|off)(?:[ \t]+(?:notes?|summary|document|briefing))?|summary|인계(?: 내용| 사항| 문서)?|세션 인계|引き継ぎ(?:事項|メモ|資料)?|交接(?:说明|文档)?|Übergabe|Note de passation|Resumen|Resumo)[ \t]*:?(?:\*\*)?[ \t]*\n+/i;

export function withoutTalk(text: string): string {
  return withoutOffer(withoutGreeting(text).replace(TITLE, '')).trim();
}

/** The first paragraph, or the first line before a list or a heading. */
function withoutGreeting(text: string): string {
  const [first = ''] = /^[^\n]*(?:\n(?![\s#*\-\d|<`])[^\n]*)*/.exec(text) ?? [];
  const rest = text.slice(first.length).trim();
  if (rest === '' || !isTalk(first) || !GREETING.test(plain(first))) return text;
  const isAboutIt = OF_HAND_OVER.test(first) || first.length <= MAX_BARE_GREETING;
  return isAboutIt || /^(?:sure|of course|certainly|absolutely)[!,.]/i.test(first) ? rest : text;
}

function withoutOffer(text: string): string {
  const from = text.lastIndexOf('\n\n') + 2;
  if (from < 2) return text;
  const last = text.slice(from).trim();
  return isTalk(last) && OFFER.test(plain(last)) ? text.slice(0, from).trimEnd() : text;
}

function isTalk(paragraph: string): boolean {
  return paragraph.length <= MAX_TALK_CHARS && !OF_WORK.test(paragraph);
}

function plain(text: string): string {
  return text
    .trim()
    .replaceAll('’', "'")
    .replace(/^[*_>\s]+/, '');
}

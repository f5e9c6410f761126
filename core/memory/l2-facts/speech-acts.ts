/**
 * Tells what the user does with a sentence (V2): chooses, sets a rule, names a constraint, says how
 * they like it, or reports a problem. A question, a guess, an order for the moment, and what cannot be
 * understood without the conversation around it are none of these. Rather few and right than many.
 */
import { koreanAct } from './speech-acts-korean.ts';

/** As the kinds of a model's answer are called (M9). */
export type SpeechAct = 'decision' | 'rule' | 'preference' | 'issue';

const MAX_SENTENCE_CHARS = 300;
const MIN_CONTENT_WORDS = 2;

export function speechAct(sentence: string): SpeechAct | undefined {
  if (sentence.length > MAX_SENTENCE_CHARS) return undefined;
  const words = withoutFiller(sentence.replace(/(?<!\w)[_*]+|[_*]+(?!\w)/g, ''));
  return /[가-힣]/.test(words) ? koreanAct(words) : englishAct(words);
}

/** What people say before they come to the point. */
const FILLER =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|no|nah|nope|oh|ah|hm+|mm+|well|so|and|but|also|then|actually|right|sure|cool|great|thanks|sorry|alright|one (?:more|last) thing|I mean|debug:?|note:?|all good|please note|btw|by the way|FYI|important|q|to be clear)\b[\s,.!:;–—-]*)+/i;

const KOREAN_FILLER =
  /^(?:(?:아 맞다|아|오|음|네|넵|넹|응|ㅇㅇ|참고로|참|그리고|그럼|그러면|근데|그런데|아뇨|아니요|아니|굿|좋아요?|오케이|저기|혹은)(?=[\s,.!~])[\s,.!~]*)+/;
/** A slash command, or the letter of a choice, before the words. */
const LABEL = /^(?:\/[\w:-]+|[A-Ea-e]\))\s+/;

export function withoutFiller(sentence: string): string {
  return sentence.replace(LABEL, '').replace(FILLER, '').replace(KOREAN_FILLER, '');
}

const QUESTION =
  /\?\s*(?:\S{1,3})?\s*$|^(?:can|could|would|should|shall|do|does|did|is|are|was|were|will|has|have|had|isn['’]?t|aren['’]?t|don['’]?t (?:we|you)|doesn['’]?t|what|why|how|when|where|which|who|whose|any)\b(?! in mind)(?!ever)/i;
const ASKS =
  /\b(?:can|could|would) (?:you|we|i)\b|\bwhy\b|\bdo you\b|\bhow about\b|\bwhat (?:if|about|do|does)\b|\bright\s*[?.]?$|\blet me know\b/i;
const HEDGE =
  /\b(?:maybe|perhaps|probably|possibly|might|i wonder|wondering|i guess|i suppose|i assume|not (?:100% )?sure|unsure|seems?|looks? like|apparently|supposed|i hope|i thought|somehow|if possible|ideally|thinking aloud|kind of|sort of|in theory|potentially|either way|or (?:maybe|should|is|are|do|not)|would be (?:nice|good|great)|could be|what i (?:think|meant)|something like)\b|\bI think\W*$|\bshould have been\b|^(?:i\.e|e\.g)\.|^if we (?:would|could)\b/i;
/** An order for the moment, or a word that ties the sentence to it. */
const MOMENTARY =
  /\b(?:right now|for a (?:sec|moment|minute)|hang on|hold on|yet|today|tomorrow|this time|again|in this (?:branch|pr|commit|session|file|task|situation|case|scenario)|(?:this|that|the current) (?:branch|pr|commit)|separate (?:pr|branch|commit)|(?:we|you|i) (?:just )?(?:made|did)|so far|this session|issue is now|(?:need to|should) add (?:\w+ )?tests?|one more|the rest|next step|first,|(?:create|file|log|open) an? (?:\w+ )?(?:issue|ticket|pr))\b|(?:^|\blet['’]?s |\b(?:and|then|please|just|now) )(?:wait|quick\w*|continue|roll back|revert|try|review|debug|investigate|double[- ]check|check|look|have a look|take a look|test|run|commit|push|merge|rebase|tell|show me|give|write down|explain|list|implement|update|create|fix|add|make|do|start|build|remind|read|open|find|go (?:through|back|ahead))\b|\b(?:look at|have a look|take a look)\b/i;
/** "Option 2", "#5", "the first one", "above": nobody knows later what that was. */
const POINTS_ELSEWHERE =
  /\b(?:options?|approach|point|step|item|phase|task|number|scenario|issue|critical) #?\d|\b(?:option|approach) [a-e]\b|(?:^|\s)#\d|\b(?:the )?(?:first|second|third|last|other|former|latter) (?:one|ones|option|approach)\b|\babove\b|\bbelow\b|\bfor \d\b|^\W*[a-e]\.\s|^\d+[\s=,.:]|\b\d (?:and|or) \d\b|\bthe following\b|:\s*$|\(recommended\)/i;
const PRONOUN =
  '(?:this|that|it|these|those|them|one|both|all|everything|anything|something|so|here|there|more|any)';
/** The thing that is wanted or forbidden is only pointed at. */
const POINTS_AT_IT = new RegExp(
  `^(?:(?:i|we) (?:really |also |do |don['’]?t )*(?:like|want|need|prefer|use|keep|think)|(?:.* )?let['’]?s (?:not |just )?\\w+|(?:.*[-–—,;:] )?(?:please |just )*(?:don['’]?t|do not|never|always|avoid|keep|use|prefer)(?: \\w+)?) (?:to )?${PRONOUN}\\b(?! (?:the|we|our) )`,
  'i',
);
const SUBJECT_POINTS =
  /^(?!it (?:doesn['’]?t|makes no|does not) (?:make )?sense)(?:this|that|it|these|those|they|them|he|she|which)(?:['’]s|['’]re)?\b|\b(?:that|this|it|these|those|them)\W*$/i;

const I_OR_WE = '(?:i|we)(?: (?:really|also|do|just|actually|definitely|still|both))*';
const TALKING =
  '(?:see|look|know|understand|do|work|test|try|discuss|talk|check|think|get|go|ask|make|implement|be clear|step|start|focus|figure|find|read|review|hear|learn|say|show you|point|mention|note|clarify|confirm|continue|finish|fix|merge|revert|rebase|update|push|commit|debug|investigate|create (?:an?|the) (?:issue|ticket|pr|branch)|file)';

const CHOICES = [
  /\blet['’]?s (?:\w+ )?(?:use|go with|stick (?:to|with)|keep|rename|call|name|avoid|set|switch|store|default|prefer|limit|support|have (?:one|all|each|every|no|only)|not (?:leave|use|add|allow|support|introduce|have|store|rely|depend|expose|include|show|break|mix|put))\b/i,
  /\bwe (?:have |['’]?ve )?(?:already )?(?:decided|agreed|chose|settled on|removed|dropped|picked|standardi[sz]ed)\b.*(?:\bon purpose\b|\bintentional|\bby design\b|\bto\b|\bon\b)/i,
  /\b(?:on purpose|by design|intentional(?:ly)?)\b/i,
  /\bwe(?:['’]ll| will| are going to|['’]re going to|['’]re getting rid of| are getting rid of) (?:use|go with|stick|keep|support|need|only|always|not|never|be using|get rid)\b/i,
  /\bi(?:['’]d| would)(?: rather| prefer)? (?:prefer|go with|replace|rather|keep|use|store|name|call|put)\b/i,
  /^(?:please )?(?:use|prefer|choose) \S+.* (?:instead of|rather than|over|not)\b/i,
  /\b(?:should|needs? to|must) be (?:the )?default\b|\b(?:enabled?|disabled?|on|off) by default\b|\bdefaults? to\b/i,
  /^keep (?:the |all |backwards?|each|every|our )/i,
];
const RULES = [
  /(?:^|[,;:–—-]\s*|\b(?:please|should|must|can|and|but|we|you|to|it)\s+)(?:always|never)\s(?!mind|seems?|been|had|seen|\w+ed\b)/i,
  /\b(?:from now on|going forward|in (?:the )?future,|every time|each time|whenever (?:you|we|i)|as a rule|by convention|the rule is|our (?:convention|policy|rule)|remember (?:to|that)|(?:have|keep|bear) in mind)\b/i,
  /^(?:please )?(?:do not|don['’]?t|dont|never|avoid|no more) (?!worry|fix|bother|forget|commit|push|wait|start|stop|merge|touch|change|do\b|be\b|think|know|see|need|have|want|you|we|i\b|mind|get)\w+/i,
  /^(?:please )?(?:use|keep|follow|write|name|stick to) (?:the |a |an )?(?:\S+ ){0,3}(?:spelling|style|format|convention|naming|syntax|tone|tabs|spaces|english|casing|case|layout|working code)\b/i,
  /\b(?:must|has to|have to|needs? to|should)(?: not| never| always| only| also| still)* (?:be|have|use|run|work|support|show|check|contain|include|return|keep|stay|match|only|cover|handle|fail|go|live|write|read|log|store|accept|default|avoid|happen|not|never|exist|belong|follow|test|verify|validate|point|separate|add|strip|ensure|allow|error|fall|reuse|respect|remain|come|start|end|print|display|save)\b/i,
  /\b(?:shouldn['’]?t|mustn['’]?t|must not|should not)\b/i,
  /\bit (?:doesn['’]?t|does not|makes no) (?:make )?sense to\b/i,
  /\bwe (?:don['’]?t|do not) (?:need|want|support|use|allow|have to)\b/i,
];
const CONSTRAINTS = [
  /\bwe(?:['’]ve| have)? (?:found|learned|learnt|noticed|observed) that\b|^we (?:also |do |really )+need (?!to )/i,
  /\bwe (?:can['’]?t|cannot|can only|are not allowed|aren['’]?t allowed|may not|only (?:support|have|use|allow|need))\b/i,
  /\b(?:the only way|only works? (?:on|with|if|when)|is not (?:allowed|supported|permitted)|isn['’]?t (?:allowed|supported)|at most|no more than|budget|deadline|has to run|must run|is required|are required)\b/i,
];
const PREFERENCES = [
  new RegExp(
    `^${I_OR_WE} (?:want|like|love|prefer|hate) (?:to (?!${TALKING}\\b)|(?!to\\b|you\\b))\\w`,
    'i',
  ),
  new RegExp(
    `\\b${I_OR_WE} want to (?:have|be|inform|include|use|keep|avoid|show|support|allow|store|be explicit)\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:i|we)(?:['’]d| would) (?:also )?(?:like|love) (?:to (?!${TALKING}\\b)|(?!to\\b|you\\b))\\w`,
    'i',
  ),
];
const PROBLEMS = [
  /^(?:known |first |second |main |another |the )?(?:bug|problem|issue|limitation)(?: (?:is|was))?(?: now)?(?::| that| is that) ?\S/i,
  /\b(?:fails?|breaks?|crash(?:es)?|hangs?|freezes?|(?:doesn['’]?t|does not|don['’]?t|won['’]?t) (?:work|start|run|load|compile|happen|show|save|clear|fire))\b.*\b(?:when|if|on|unless|because|after|with|without)\b/i,
  /\bbut (?:that|it|this) (?:doesn['’]?t|does not|didn['’]?t) (?:happen|work)\b/i,
  /\b(?:isn['’]?t|aren['’]?t|is not|are not) (?:producing|working|being|saving|showing|writing|firing)\b/i,
];
const ACTS: readonly [SpeechAct, readonly RegExp[]][] = [
  ['issue', PROBLEMS],
  ['rule', RULES],
  ['rule', CONSTRAINTS],
  ['preference', PREFERENCES],
  ['decision', CHOICES],
];

/** An id of one session or commit. */
const PASSING_ID = /\b[0-9a-f]{8}-[0-9a-f]{4}|\b(?=[a-f]*\d)[0-9a-f]{7,40}\b/;

const REJECTED = [
  PASSING_ID,
  QUESTION,
  ASKS,
  HEDGE,
  MOMENTARY,
  POINTS_ELSEWHERE,
  POINTS_AT_IT,
  SUBJECT_POINTS,
];

function englishAct(sentence: string): SpeechAct | undefined {
  const words = sentence.replace(/^i (?:think|feel|believe)(?: like| that)? /i, '');
  if (REJECTED.some((pattern) => pattern.test(words)) || contentWords(words) < MIN_CONTENT_WORDS)
    return undefined;
  return ACTS.find(([, patterns]) => patterns.some((pattern) => pattern.test(words)))?.[0];
}

const FUNCTION_WORDS = new Set(
  "a an and any are as at be but by can do don't for from has have i if in is it its it's just let's me my need no not of on one or our please should so some that the their them then there they this those these to too up us use want was we were will with would you your like also remember".split(
    ' ',
  ),
);

function contentWords(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_'’./-]+/gu) ?? [];
  return new Set(
    words.filter((word) => word.length > 1 && !FUNCTION_WORDS.has(word.replace('’', "'"))),
  ).size;
}

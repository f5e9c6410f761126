/**
 * Recognises values that only look like secrets: references, masks, stand-ins, types. They stay
 * (M18), so that a reader still sees what the text is about.
 */

/** Stands in a secret's place. */
export const GONE = '[redacted]';

/** `$1`, `@env(…)`, `%s` and `%NAME%` are references; `$1234`, `@1234` and `%40…` begin passwords. */
const PLACEHOLDER =
  /^[\s<{[(]|^\$(?!\d{3})|^@(?!\d)|^%(?!\d\d.{3})|^\*[a-z_-]+$|^!(?:secret|vault|ref|sub|env|include|encrypted)\b|^(?:process\.env|os\.|env\.|import\.meta|settings\.|config\.|self\.|this\.|secrets\.|vars\.|var\.|local\.|data\.|getenv|request\.|req\.|user\.|args\.|options\.|opts\.|props\.|form\.)|^(.)\1+$|x{4,}|\*{3,}|•{3,}|\.{3}|…|^(?:await|new|function|return|null|none|nil|undefined|true|false|string|str|number|boolean|bool|bytes|text|varchar|required|optional|redacted|hidden|masked|secret|password|passwd|token|bearer|basic)\b(?![!@#$%^&*]+\d)|your[_-]|[_-]here\b|changeme|change[_-]me|placeholder|example|dummy|redacted|\{\{|\$\{/i;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** `0000` is a mask for a key, but a common first password. */
export function isDigits(value: string): boolean {
  return /^\d{4,}$/.test(value);
}

/** "The password is" is followed by a word as often as by a value. */
const ORDINARY_WORD =
  /^(?:a|an|the|not|no|too|also|never|always|now|only|being|been|still|just|wrong|right|correct|incorrect|invalid|valid|weak|strong|short|long|empty|blank|missing|required|optional|hash|hashed|encrypted|stored|saved|sent|set|reset|checked|expired|changed|unchanged|rejected|accepted|hidden|shown|masked|visible|protected|generated|rotated|case|typed|passed|read|part|in|on|at|from|for|to|of|by|as|with|what|when|where|how|why|it|this|that|these|there|one|used|needed|mandatory|longer|shorter|least|more|less|plain|plaintext|safe|secure|fine|ok|okay|unknown|undefined|null|true|false|string|input|base64|bcrypt|scrypt|argon2(?:id?|d)?|pbkdf2|md5|sha-?\d{1,3}(?:-\d{3})?|aes(?:-?\d{3})?(?:-[a-z]{3})?|rsa(?:-?\d{4})?)[.,!?]?$/i;

export function isOrdinaryWord(value: string): boolean {
  return ORDINARY_WORD.test(value);
}

/** A word, a file, a constant's name, a call. */
export function isNoValue(text: string): boolean {
  return (
    (isPlaceholder(text) && !isDigits(text)) ||
    text.includes(GONE) ||
    ORDINARY_WORD.test(text) ||
    /^[\w-]+\.(?:json|ts|js|tsx|py|go|rs|md|ya?ml|env|toml|txt)$/.test(text) ||
    /^[A-Z_]+$/.test(text) ||
    /[(){}]/.test(text)
  );
}

/**
 * Places that only hold secrets: headers, URLs, command flags, cookies, configuration. Each pattern
 * is (what stays)(the secret).
 */
import { type RedactionRule, rule } from './word-finder.ts';

const COOKIE_NAME_END =
  '(?:sess|sid\\b|auth|token|access|logged_in|csrf|xsrf|remember)[\\w.-]{0,64}';
const COOKIE_NAME = `[\\w.-]*${COOKIE_NAME_END}`;
const TOOLS_WITH_P = 'mysql|mysqldump|mysqladmin|mariadb|7z|7za';
const TOOLS_WITH_FLAG =
  'sshpass|redis-cli|twine|mongo|mongosh|smbclient|ldapsearch|ldapadd|docker login|az login|zip|openssl|ssh-keygen';
const COOKIE_WORDS = 'sess|sid|auth|token|access|logged_in|csrf|xsrf|remember';
const FLAG_WORDS = '-pass|-pwd|-token|-secret|-api-key|-apikey|-auth-token';

export const SECRET_PLACES: readonly RedactionRule[] = [
  rule(/(\b(?:Bearer|Basic)\s+)([0-9A-Za-z._~+/=-]{8,})/gi, 'bearer|basic'),
  rule(
    /(\bauthorization["']?\s*[:=]\s*["']?(?:token|apikey|api-key|key|splunk)\s+)([0-9A-Za-z._~+/=-]{8,})/gi,
    'authorization',
  ),
  rule(/(\bDigest\b[^\n]*?\bresponse=["']?)([0-9a-fA-F]{16,})/g, 'response='),
  // A password reaches to the last @ before the host; one with a bare ? or # to the last @ of all.
  // Digits that look like a port are one, even before other text.
  rule(
    /((?<=\b[a-z][a-z0-9+.-]*):\/\/[^\s:/'"<>]*:(?!\d{2,5}[?#(),;가-힣]))([^\s/?#'"<>]+|[^\s/'"<>]+)(?=@[\w[${])/gi,
    '://',
  ),
  rule(/(\bhttps?:\/\/)([0-9A-Za-z_-]{20,})(?=@)/g, '://'),
  // Found by its sign, because `session` and `access` are common words.
  rule(`(${COOKIE_NAME_END}=)([^\\s;,'"&]{12,})`, '='),
  rule(
    `("?(?:name|key)"?\\s*:\\s*["']${COOKIE_NAME}["']\\s*,[^{}]*?"?value"?\\s*:\\s*["'])([^"']{8,})(?=["'])`,
    'value',
  ),
  rule(
    `("?value"?\\s*:\\s*["'])([^"']{8,})(?=["'][^{}]*?"?(?:name|key)"?\\s*:\\s*["']${COOKIE_NAME}["'])`,
    'value',
  ),
  rule(`(["']${COOKIE_NAME}["']\\s*:\\s*["'])((?=[^"']*\\d)[^"'\\s]{16,})(?=["'])`, COOKIE_WORDS),
  rule(/(^\S+\t(?:TRUE|FALSE)\t\S+\t(?:TRUE|FALSE)\t\d+\t\S+\t)(\S{8,})/gm, ' true | false '), // cookie jars
  rule(
    /(--?(?:password|passwd|pass|pwd|token|secret|api-key|apikey|auth-token)(?:=|\s+)["'])([^"']{4,})(?=["'])/gi,
    FLAG_WORDS,
  ),
  rule(
    /(--(?:password|passwd|pass|pwd|token|secret|api-key|apikey|auth-token)(?:=|\s+))([^\s"'$<{-][^\s"']{3,})/gi,
    FLAG_WORDS,
  ),
  rule(
    new RegExp(`(\\b(?:${TOOLS_WITH_P})\\b[^\\n|;]*?\\s-p)([^\\s'"]{4,})`, 'g'),
    'mysql|mariadb|7z',
  ),
  rule(
    new RegExp(
      `(\\b(?:${TOOLS_WITH_FLAG})\\b[^\\n|;]*?\\s-(?:p|a|w|P|k|N)\\s*["'])([^'"$]{4,})(?=["'])`,
      'g',
    ),
    TOOLS_WITH_FLAG,
  ),
  rule(
    new RegExp(
      `(\\b(?:${TOOLS_WITH_FLAG})\\b[^\\n|;]*?\\s-(?:p|a|w|P|k|N)\\s+)((?!\\d+\\s)[^\\s'"$-][^\\s'"]{3,})`,
      'g',
    ),
    TOOLS_WITH_FLAG,
  ),
  rule(/(\b-pass(?:in|out)\s+pass:|-passin\s+pass:|-passout\s+pass:)([^\s'"]{4,})/g, '-pass'),
  rule(/(\bcurl\b[^\n|;]*?\s(?:-u|--user)\s*["'][^:'"]+:)([^'"]{4,})(?=["'])/g, 'curl'),
  rule(/(\bcurl\b[^\n|;]*?\s(?:-u|--user)\s*[^\s:'"]+:)([^\s'"$@]{4,})/g, 'curl'),
  rule(/(\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+)(\S{4,})/g, 'htpasswd'),
  rule(/(\bnet user\s+\S+\s+)([^\s/*]{4,})/gi, 'net user'),
  rule(/(\becho\s+["']?)([^"'\s|]{4,})(?=["']?\s*\|[^\n]*--password-stdin)/g, '--password-stdin'),
  rule(
    /(\b(?:gh secret set|vault kv put)\b[^\n]*?--body\s+["']?)([^"'\n]{4,})(?=["']|$)/gm,
    '--body',
  ),
  rule(/(\bexpect\s+"[^"]*assword[^"]*"\s*\n\s*send\s+")([^"\\]{4,})/g, 'assword'),
  rule(
    /(\b(?:aws configure set|configure set)\s+aws_secret_access_key\s+)(\S{20,})/g,
    'aws_secret_access_key',
  ),
  rule(
    /(\bsecret access key(?:\s*\[[^\]]*\])?\s*[:=]\s*)([0-9A-Za-z+/]{40})\b/gi,
    'secret access key',
  ),
  rule(
    /(^[+-]?\s*(?:export\s+)?\w*(?:password|passwd|pwd)=)([^\s"'`]{4,})$/gim,
    'password=|passwd=|pwd=',
  ),
  rule(/(\bIDENTIFIED(?:\s+WITH\s+\S+)?\s+BY\s+')((?:[^']|''){4,}?)(?='(?!'))/gi, 'identified'),
  rule(/(\bPASSWORD(?:\s+FOR\s+\S+\s*=)?\s+')((?:[^']|''){4,}?)(?='(?!'))/gi, 'password'),
  rule(/(\bConvertTo-SecureString\s+["'])([^"']{4,})/gi, 'convertto-securestring'),
  rule(/(\{PLAIN\})(\S{4,})/g, '{plain}'),
  rule(
    /(\bBuffer\.from\(\s*['"`][^:'"`]+:)([^'"`]{4,})(?=['"`]\s*\)\.toString\(\s*['"]base64)/g,
    'buffer.from(',
  ),
  rule(/("auth"\s*:\s*")([0-9A-Za-z+/=]{12,})(?=")/g, '"auth"'),
  rule(/(:_auth(?:Token)?\s*=\s*["']?)([0-9A-Za-z+/=_-]{8,})/g, ':_auth'),
  rule(
    /(<(?:\w*:)?\w*(?:password|passwd|secret|token|apikey|passphrase)>)([^<\s][^<]{2,})(?=<\/)/gi,
    'password>|passwd>|secret>|token>|apikey>|passphrase>',
  ),
  rule(
    /(\b(?:key|name)=["']\w*(?:password|passwd|pwd|secret|token|apikey)["']\s+value=["'])([^"']{4,})/gi,
    'value=',
  ),
  rule(
    /(\bdefine\(\s*['"]\w*(?:PASSWORD|PASS|SECRET|KEY|SALT|TOKEN)['"]\s*,\s*['"])([^'"]{4,})/g,
    'define(',
  ),
  rule(
    /(^\s*(?:ENV|ARG)\s+\w*(?:PASSWORD|PASSWD|PASS|PWD|PW|SECRET|TOKEN|KEY)\s+)(\S{4,})/gm,
    'pass|pwd|pw|secret|token|key',
  ),
  rule(/(\b(?:password|passwd)\s+)((?=\S*\d)(?=\S*[A-Za-z])[^\s'",;:.]{8,})(?=\s|$)/g, 'passw'),
  rule(/(pass\w{0,64}\s*:\s*(?:[|>][+-]?\s*\n\s+|&\w+\s+["']?))([^\s"'][^\n"']{3,})/gi, 'pass'), // YAML blocks and anchors
  rule(
    /(\bconst\s+\w{0,64}(?:PASSWORD|SECRET|TOKEN|KEY)\w{0,64}\s*:\s*&?'?\w*\s*\w*\s*=\s*["'])([^"']{4,})/gi,
    'password|secret|token|key',
  ),
];

/**
 * Secrets that a command is given without a name beside them: a token behind `login`, a password
 * that is the third word, what routers and databases take on their own prompts (M18, L1c).
 */
import { place, type Test } from './places.ts';
import type { Rule, Scan } from './scan.ts';
import {
  isAssuredPassword,
  isChosen,
  isMadeUp,
  isOrdinaryWord,
  isPlaceholder,
  isRandom,
  isUuid,
} from './values.ts';

const MIN_DRAWN = 16;

const isDrawn: Test = (secret) =>
  isUuid(secret) || (secret.length >= MIN_DRAWN && !isMadeUp(secret) && isRandom(secret));
const isGiven: Test = (secret) =>
  !isPlaceholder(secret) && !isOrdinaryWord(secret) && !/^(?:\d{1,3}|[-/].*)$/.test(secret);
const isSure: Test = (secret) => isAssuredPassword(secret) || isDrawn(secret, '');

export const commandRules = (): Rule[] => [
  { words: [' auth ', ' login ', ' authtoken ', ' token '], judge: judgeLogin, cost: 20 },
  { words: [...['@tcp(', '@unix(', '@//'], ...HOSTS], judge: judgeSource, cost: 60 },
  { words: ['--value', '--secret-string', '--body', '<<<'], judge: judgeHanded, cost: 60 },
  ...TOKENS(),
  ...PASSWORDS(),
  ...ROUTERS(),
];

const LOGIN =
  / (?:auth|login|authtoken|token) (?:--?(?:token|key|api-key|auth-token|with-token|[tk])[ =])?["']?([\w.~+/=-]{20,1024})/iy;
const COMMAND_BEFORE =
  /(?:^|[\n$%❯➜#>;&|`"'(])\s{0,4}(?:sudo |npx |docker exec \S{1,40} )?[a-z][\w.-]{1,24}(?: [a-z][\w:-]{1,20}){0,2}$/;

/** `snyk auth …`, `wandb login …`: a command of one or two words, and then what only is a token. */
function judgeLogin(scan: Scan, at: number): void {
  LOGIN.lastIndex = at;
  const value = LOGIN.exec(scan.text)?.[1] ?? '';
  if (value === '' || !isDrawn(value, '')) return;
  if (COMMAND_BEFORE.test(scan.text.slice(Math.max(0, at - 80), at)))
    scan.withhold(LOGIN.lastIndex - value.length, LOGIN.lastIndex);
}

/** How hosts begin that people log in to. */
const HOSTS = [
  '@db',
  '@local',
  '@127.',
  '@10.',
  '@192.168',
  '@172.',
  '@mysql',
  '@postg',
  '@redis',
].concat('@mongo', '@rabbit', '@cache', '@mail', '@smtp', '@host');
const USER_AND_PASSWORD = /(?:^|["'`\s=])[\w.-]{1,40}[:/]([^\s"'`/]{4,80})$/;

/** Data sources of Go, `user:…@tcp(host)/name`, which are URLs without a scheme. */
function judgeSource(scan: Scan, at: number, end: number): void {
  const isSource = scan.text.charAt(end - 1) === '(';
  const value = USER_AND_PASSWORD.exec(scan.text.slice(Math.max(0, at - 122), at))?.[1] ?? '';
  if (
    value !== '' &&
    (isSource ? !isPlaceholder(value) : isAssuredPassword(value)) &&
    !/^(?:pass\w*|root|secret|test|user|\d{1,5})$/.test(value)
  )
    scan.withhold(at - value.length, at);
}

const TOKENS = (): Rule[] => [
  place(
    'curl ',
    /(curl[ \t](?:[^\n|;]{0,300}?\s)?(?:-u|--user)[ \t=]{0,4}["']?)([\w-]{16,200})(?=:["'\s]|:$)/y,
    isDrawn,
    150,
  ),
  place(
    'service install |setapikey |github-oauth.|gitlab-token.|pypi-token.',
    /((?:service install|setapikey|(?:github-oauth|gitlab-token|pypi-token)\.\S{1,80})\s{1,4}["']?)([\w.~+/=-]{16,1024})/iy,
    isDrawn,
  ),
  place(
    'privkey|private key|wif',
    /((?:[^\n]{0,40}?[\s"':=(])?["']?)([5KL][1-9A-HJ-NP-Za-km-z]{50,51})(?!\w)/y,
    (secret) => !isMadeUp(secret),
  ),
  place(
    'setup key|setup code|set-up key|entry key|manual entry|manually|totp|otp |otp:|oathtool|authenticator|2fa|mfa |설정 키|설정키|인증 키',
    /([^\n]{0,60}?[\s:="'`(])([A-Z2-7]{16,64}={0,6})(?![\w-])/y,
    (secret) => /[2-7][A-Z]/.test(secret) && !isMadeUp(secret),
    60,
  ),
  place(
    'encrypt = "|encrypt="|encrypt=|encrypt": "',
    /(encrypt"?\s{0,2}[=:]\s{0,2}"?)([\w+/]{22}==|[\w+/]{43}=)(?![\w=])/iy,
  ),
  place('secret id', /(secret id\s{0,12}[=:]\s{0,4})([0-9a-f-]{36})(?![\w-])/iy, isDrawn),
  place('snyk config set api=', /(snyk config set api=)([0-9a-f-]{36})/y, isDrawn),
  place('.key', /(\.key[`:"']{0,2}\r?\n(?:```\w{0,8}\r?\n)?)([0-9a-f]{32})(?=\s|$)/y),
  place(
    'setitem(',
    /(setitem\(["'](?:jwt|auth|session|sid|access|refresh)["'],\s{0,4}["'])([\w.+/=-]{20,1024})(?=["'])/iy,
    isDrawn,
  ),
  place('pveapitoken=', /(pveapitoken=[\w.@-]{1,60}![\w-]{1,40}=)([0-9a-f-]{36})/iy, isDrawn),
  place(
    'user-secrets set ',
    /(user-secrets set\s{1,4}["']?[\w:.-]{1,80}["']?\s{1,4}["']?)([^"'\s]{6,300})/y,
    isSure,
  ),
  place(
    'openssl rand |pwgen |pass show |gopass show |apg -|wg genpsk|wg genkey',
    /([^\n]{0,120}\n["']?)([^\s"']{8,300})(?=["']?[ \t]*(?:\r?\n|$))/y,
    (secret) => isSure(secret, '') || /^[0-9a-f]{16,}$/.test(secret),
    60,
  ),
  place(
    'cookiesession(',
    /(cookiesession\(\{[^\n]{0,80}?keys:\s{0,2}\[\s{0,4}["'])([\w+/=!@#$%^&*.-]{12,200})(?=["'])/iy,
    isSure,
  ),
];

/** A line on which a secret is stored or somebody logs in. */
const STORES = /secur|secret|vault|passw|token|credential|kinit|login|sudo|cryptsetup|\bsu\b/i;
const LINE_CHARS = 200;

/** What is handed over where the line says what it is: `--value …`, `<<< …`. */
function judgeHanded(scan: Scan, at: number): void {
  HANDED.lastIndex = at;
  const value = HANDED.exec(scan.text)?.[1] ?? '';
  if (value === '' || !isSure(value, '')) return;
  const before = scan.text.slice(Math.max(0, at - LINE_CHARS), at);
  if (STORES.test(before.slice(before.lastIndexOf('\n') + 1)))
    scan.withhold(HANDED.lastIndex - value.length, HANDED.lastIndex);
}

const HANDED = /(?:--(?:value|secret-string|body|data)[ =]|<<<)\s{0,4}["']?([^\s"'`$]{6,512})/y;

/** With a sign that names and paths have not. */
const isSigned: Test = (secret) =>
  /^[^\s=/:~]{0,60}[!@#^&*]/.test(secret) &&
  !/[*@/]$|^[*@.]/.test(secret) &&
  isAssuredPassword(secret);

const PASSWORDS = (): Rule[] => [
  place(
    ['-p', '-P', '-w', '-a', '-pw']
      .flatMap((flag) => [`"${flag}", "`, `'${flag}', '`, `"${flag}","`])
      .join('|')
      .toLowerCase(),
    /(["']-[pwaP]w?["'],\s{0,4}["'])([^"'\n]{6,64})(?=["'])/y,
    (secret) => isSure(secret, ''),
  ),
  place('mysql", ', /(mysql", [^\n]{0,80}?["']-p)([^"'\s]{4,64})(?=["'])/y, isGiven),
  place('code_verifier', /(code_verifier["']?\s{0,2}[=:]\s{0,2}["']?)([\w.~-]{43,128})/y, isDrawn),
  place(' -p | -w | -pw | -a ', /( -(?:p|w|pw|a)\s{1,4}["']?)([^\s"'`$]{6,64})/y, isSigned),
  place(
    'login=|user=|auth=|creds=|credentials=|userpwd=',
    /(\w{4,11}=["']?[\w.@-]{1,40}:)([^\s"'`,;&]{4,64})/iy,
    (secret) => isChosen(secret) && !/\/|:\d/.test(secret),
  ),
  place(
    'auth ',
    /((?:(?<=\n)|(?<![\s\S]))AUTH (?:[a-z]\w{0,31} )?["']?)([^\s"']{6,200})(?=["']?[ \t]*(?:\r?\n|$))/y,
    isSure,
  ),
  place('identified by ', /(IDENTIFIED BY )([^\s"'`;,()]{4,64})/y, (secret) => isChosen(secret)),
  place(
    ': psk |: xauth |: eap |: ntlm ',
    /(: (?:psk|xauth|eap|ntlm)\s{1,4}["']?)([^\s"']{4,128})/iy,
    isGiven,
  ),
  place('userpassword:: |unicodepwd:: ', /(\w{10,12}:: )([\w+/=]{8,400})/iy),
  place(
    'storepassword |keypassword ',
    /(\w{3,5}password\s{1,4}["'])([^"'\n]{4,100})(?=["'])/iy,
    isGiven,
  ),
  place('auth plain ', /(auth plain\s{1,4})([\w+/=]{12,300})/iy),
  place('334 ugfzc3dvcmq6', /(334 ugfzc3dvcmq6\s{1,4}(?:[<>C:]{1,3}\s)?)([\w+/=]{4,200})/iy),
  place('user ', /(USER \S{1,40}\r?\n(?:331[^\n]{0,60}\r?\n)?PASS )(\S{4,64})(?=\r?\n|$)/y, isSure),
  place(':_password', /(:_password\s{0,2}=\s{0,2}["']?)([\w+/=]{8,300})/iy, isGiven),
  place(
    'printf |yes ',
    /((?:printf|yes)\s{1,4}(?:["']%s(?:\\n)?["']\s{1,4})?["']?)([^"'\s|]{4,300})(?=["']?\s{0,4}\|[^\n]{0,200}?(?:--password-stdin|sudo -S|--with-token|passwd|cryptsetup|secrets? (?:set|put|create)|versions add))/y,
    isGiven,
  ),
  place('passwd ', /(passwd\s[^\n]{0,60}?<<<\s{0,4}["']?)([^\s"']{4,64})/y, isGiven),
  place('> auth ', /(> auth\s{1,4}(?:\w{1,32}\s{1,4})?["']?)([^\s"']{4,200})/iy, (secret) =>
    isChosen(secret),
  ),
  place('setuser ', /(setuser\s{1,4}\S{1,60}\s[^\n]{0,60}?>)([^\s"']{4,200})/iy, isGiven),
  place(
    'masterauth |primaryauth |requirepass ',
    /((?:masterauth|primaryauth|requirepass)\s{1,4}["']?)([^\s"']{4,200})/iy,
    isGiven,
  ),
  place(
    'change_password |authenticate_user |reset_password ',
    /(\w{9,20}\s{1,4}[\w.@-]{1,60}\s{1,4}["']?)([^\s"']{4,200})/y,
    isSure,
  ),
  place(
    'rpcclient|winexe |net rpc|smbget |smbmap|wmic ',
    /([\w ]{3,12}[ \t][^\n|;]{0,200}?-U[ \t]?["']?[\w.\\/-]{1,40}%)([^\s'"]{4,200})/y,
    isGiven,
    100,
  ),
  place('rar ', /((?<![\w/])rar[ \t](?:[^\n|;]{0,200}?\s)?-h?p)([^\s'"]{4,200})/y, isGiven, 100),
  place('snmp', /(snmp\w{3,8}[ \t][^\n|;]{0,200}?\s-A\s{1,4}["']?)([^\s'"]{6,200})/y, isGiven, 100),
  place('snmp', /(snmp\w{3,8}[ \t][^\n|;]{0,200}?\s-X\s{1,4}["']?)([^\s'"]{6,200})/y, isGiven, 100),
  place(
    'ipmitool|psexec|smbmap|crackmapexec|influx |mongosh|clickhouse-client|ldapmodify|ldappasswd|ldapwhoami|ldapdelete|ldapcompare|security add-|security unlock|security set-|trino |tsql |osql |cypher-shell',
    /((?<![\w/-])[\w-]{4,20}(?:\.exe)?[ \t](?:[^\n|;]{0,200}?\s)?-[pPwy]\s{1,4}["']?)(?!\d{1,5}\s)([^\s'"$<-][^\s'"]{3,200})/iy,
    (secret) => isChosen(secret) || isSure(secret, ''),
    100,
  ),
  place('/rp |/rp:', /(\/rp[\s:]{1,4}["']?)([^\s"']{4,64})/iy, isSure),
  place(
    'impdp |expdp |sqlldr |rman target|conn |connect |connect(',
    /((?:impdp|expdp|sqlldr|rman target|conn|connect|connect\()\s{0,4}["']?[\w.]{1,40}\/)([^\s"'@/]{4,64})(?=@)/iy,
    isGiven,
  ),
  place(
    'airportnetwork ',
    /(airportnetwork\s{1,4}\S{1,16}\s{1,4}(?:"[^"\n]{1,40}"|\S{1,40})\s{1,4}["']?)([^\s"']{8,64})/iy,
  ),
  place('keymaterial', /(keymaterial["']?\s{0,4}[=:>]\s{0,4}["']?)([^\s"'<]{8,64})/iy, isGiven),
  place(
    'option key |option password |option psk ',
    /(option\s{1,4}\w{3,8}\s{1,4}["'])([^"'\n]{8,64})(?=["'])/y,
    isGiven,
  ),
  place(
    'http-basic.',
    /(http-basic\.\S{1,80}\s{1,4}\S{1,60}\s{1,4}["']?)([^\s"']{4,200})/y,
    isGiven,
  ),
  place(
    'bundle config ',
    /(bundle config\s[^\n]{0,120}?\s[\w.-]{1,40}:)([^\s"'/]{4,64})(?=\s|$)/y,
    isSure,
  ),
  place(
    'walletpassphrase',
    /(walletpassphrase(?:change)?\s{1,4}["'])([^"'\n]{4,200})(?=["'])/y,
    isGiven,
  ),
];

/** As they are typed into routers and switches, or printed by them. */
const ROUTERS = (): Rule[] => [
  place(
    'radius-server |tacacs-server |radius server |tacacs server ',
    /((?:radius|tacacs)[- ]server [^\n]{0,60}?key (?:\d )?["']?)([^\s"']{4,64})/iy,
    (secret) => isChosen(secret) || isSure(secret, ''),
  ),
  place(
    'enable secret |enable password |server community |isakmp key |-server key |pre-shared-|key-string |psksecret |wpa-psk ',
    /((?:enable (?:secret|password)|server community|isakmp key|-server key|pre-shared-(?:secret|key)|key-string|psksecret|wpa-psk)\s{1,4}(?:ascii\s{1,4})?(?:\d\s{1,4})?["']?)([^\s"']{4,200})/iy,
    (secret) => isChosen(secret) || isSure(secret, ''),
  ),
  place(
    ['secret', 'password', 'key']
      .flatMap((name) => [0, 5, 6, 7, 8, 9].map((type) => ` ${name} ${type} `))
      .join('|'),
    /( (?:secret|password|key) \d\s{1,4}["']?)([^\s"']{4,200})/iy,
    (secret) => isChosen(secret) || /^[0-9A-F]{10,}$/.test(secret) || isSure(secret, ''),
  ),
];

import { describe, expect, it } from 'vitest';
import secondTuning from '../../../tests/labelled/secrets-2-tuning.json' with { type: 'json' };
import thirdTuning from '../../../tests/labelled/secrets-3.json' with { type: 'json' };
import fourthTuning from '../../../tests/labelled/secrets-4-tuning.json' with { type: 'json' };
import fifthTuning from '../../../tests/labelled/secrets-5-tuning.json' with { type: 'json' };
import heldOut from '../../../tests/labelled/secrets-held-out.json' with { type: 'json' };
import tuning from '../../../tests/labelled/secrets-tuning.json' with { type: 'json' };
import everyday from '../../../tests/labelled/secrets-tuning-more.json' with { type: 'json' };
import { redact } from './redact.ts';

interface Labelled {
  id: string;
  kind: string;
  secret: boolean;
  text: string;
  value: string;
}

const LEAK_CHARS = 8;
const LETTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Numbers that are the same in every run. */
function lottery(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * A secret is gone when no piece of it that is long enough to matter is left. A piece that the
 * text around it has as well tells nothing: two keys may begin alike.
 */
function isGone(value: string, clean: string, around = ''): boolean {
  if (value.length <= LEAK_CHARS) return !clean.includes(value);
  for (let at = 0; at + LEAK_CHARS <= value.length; at++) {
    const piece = value.slice(at, at + LEAK_CHARS);
    if (clean.includes(piece) && !around.includes(piece)) return false;
  }
  return true;
}

function judge(items: readonly Labelled[]) {
  const secrets = items.filter(({ secret }) => secret);
  const missed = secrets.filter(({ text, value }) => !isGone(value, redact(text)));
  const wronged = items.filter(
    ({ secret, text, value }) => !secret && !redact(text).includes(value),
  );
  const caught = secrets.length - missed.length;
  return {
    recall: caught / secrets.length,
    precision: caught / (caught + wronged.length),
    missed,
    wronged,
  };
}

interface SecondLabelled extends Labelled {
  also?: string[];
  keep?: string[];
}

function judgeSecond(items: readonly SecondLabelled[]) {
  const secrets = items.filter(({ secret }) => secret);
  const harmless = items.filter(({ secret }) => !secret);
  const labels = secrets.flatMap(({ text, value, also = [] }) =>
    [value, ...also].map((label) => isGone(label, redact(text), text.replace(label, ''))),
  );
  const words = secrets.flatMap(({ text, keep = [] }) =>
    keep.map((word) => redact(text).includes(word)),
  );
  return {
    recall: labels.filter(Boolean).length / labels.length,
    wrong: harmless.filter(({ text }) => redact(text) !== text).length / harmless.length,
    kept: words.filter(Boolean).length / words.length,
  };
}

describe('redaction', () => {
  it.each([
    ['tuned on', tuning],
    ['tuned on, everyday forms', everyday],
    ['never tuned on', heldOut],
  ] as [string, Labelled[]][])(
    'M18 finds secrets and spares what only looks like one: %s',
    (half, items) => {
      const { recall, precision, missed, wronged } = judge(items);
      process.stdout.write(
        `redaction, ${half}: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}\n`,
      );
      const counts = `${missed.length} of ${items.length} missed, ${wronged.length} wronged`;
      expect(recall, counts).toBeGreaterThanOrEqual(0.98);
      expect(precision, counts).toBeGreaterThanOrEqual(0.98);
    },
  );

  it.each([
    ['second set, tuned on', secondTuning],
    ['third set, tuned on', thirdTuning],
    ['fourth set, tuned on', fourthTuning],
    ['fifth set, tuned on', fifthTuning],
  ] as [string, SecondLabelled[]][])(
    'L1c finds secrets of a hundred kinds and leaves harmless lines as they are: %s',
    (half, items) => {
      const { recall, wrong, kept } = judgeSecond(items);
      process.stdout.write(
        `redaction, ${half}: recall ${recall.toFixed(3)}, ${(wrong * 100).toFixed(1)} % of harmless lines changed, ${kept.toFixed(3)} of the words around kept\n`,
      );
      expect(recall).toBeGreaterThanOrEqual(0.97);
      expect(wrong).toBeLessThanOrEqual(0.01);
      expect(kept).toBeGreaterThanOrEqual(0.97);
    },
  );

  it.each([
    '| DB_PASSWORD | Moss!Fern88 |',
    '- name: DB_PASS\n  value: "Moss!Fern88"',
    '<name>db.password</name>\n<value>Moss!Fern88</value>',
    'variable "db_password" {\n  type    = string\n  default = "Moss!Fern88"\n}',
    'aws ssm put-parameter --name /shop/DB_PASSWORD --value Moss!Fern88 --type SecureString',
    "const password = process.env.DB_PASSWORD || 'Moss!Fern88';",
    'setx DB_PASSWORD "Moss!Fern88"',
    'var dbPassword = []byte("Moss!Fern88")',
    'public string Password { get; set; } = "Moss!Fern88";',
    "await page.getByLabel('Password').fill('Moss!Fern88')",
    'requests.get(url, auth=("mina", "Moss!Fern88"))',
    'the DB_PASSWORD for staging is Moss!Fern88',
    'I rotated the root password, it is Moss!Fern88 now',
    'Moss!Fern88 is the admin password',
    'type Moss!Fern88 when it asks for the password',
    'Password:&nbsp;Moss!Fern88',
    'try root / Moss!Fern88 on the box',
    'Passwort: Moss!Fern88',
    'パスワードは Moss!Fern88 です',
    '| 서버 비밀번호 | Moss!Fern88 |',
    '비밀번호(운영): Moss!Fern88',
    'DB_PASSWORD는 Moss!Fern88 입니다',
    'net use Z: \\\\nas\\share /user:mina Moss!Fern88',
    'db.test:5432:shop:mina:Moss!Fern88',
  ])('L1c finds a password that belongs to its name in another way: %s', (text) => {
    expect(redact(text)).not.toContain('Moss!Fern88');
    expect(redact(text)).toContain('[redacted]');
  });

  it.each([
    '| password | varchar(255) | hashed256 |',
    '- name: PASSWORD_MIN_LENGTH\n  value: "12"',
    '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db2-creds',
    'variable "db_password" {\n  type      = string\n  sensitive = true\n}',
    "const password = process.env.DB_PASSWORD || '';",
    '<label htmlFor="password">Password2</label>',
    "page.fill('#password', PASSWORD2)",
    'the password is hashed with argon2id',
    'Please move the password hashing to argon2id, then run it.',
    'The password is wrong!',
    'use bcrypt12 as the password hasher',
    'token\n4f0c2b7d9e1a3c5b7d9f1e3a5c7b9d1f3e5a7c9b',
    'root:x:0:0:root:/root:/bin/bash',
    'Secret: app-secrets-7f9b (3 keys)',
    'existingSecret: "postgres-auth-v2"',
    'S3 key: backups/2025-08-01/4f0c2b7d9e1a3c5b7d9f1e3a5c7b9d1f3e5a7c9b.tar.gz',
    '"revision": "01JPXA51DRJMF7PWVSKTMVYXJ6"',
    '{"name":"token_type","value":"4f0c2b7d9e1a3c5b7d9f1e3a5c7b9d1f"}',
    'export sessionId=72a918f5-b8ac-40a2-a09c-4f7b8a858772',
    'Passwort: mindestens 8 Zeichen',
    'pin 7 is ground, exit code 1234',
  ])('L1c spares what stands in such a place but is none: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('M18 removes private text', () => {
    expect(redact('before <private>my salary\nis 5</private> after')).toBe('before  after');
    expect(redact('a <PRIVATE>x</private> b <private>never closed')).toBe('a  b ');
  });

  it('M18 removes nested private text whole', () => {
    expect(redact('a <private>b<private>c</private>d</private> e')).toBe('a  e');
    expect(
      redact(
        'a <private>b<private>c</private>d<private>e</private></private> f <private>g</private> h',
      ),
    ).toBe('a  f  h');
    expect(redact('a <private >b<Private>c</private >d</PRIVATE> e')).toBe('a  e');
  });

  it('M18 an unclosed private tag hides the rest; a closing tag alone hides nothing', () => {
    expect(redact('a <private>b<private>c</private> never closed')).toBe('a ');
    expect(redact('a </private> b')).toBe('a </private> b');
  });

  it.each([
    ['비밀번호: 1234!@#$', '비밀번호: [redacted]'],
    ['비밀번호는 12345678입니다', '비밀번호는 [redacted]입니다'],
    ['비번은 19851123 이야', '비번은 [redacted] 이야'],
    ['비번 0000', '비번 [redacted]'],
    ['비밀번호는 010-1234-5678 이야', '비밀번호는 [redacted] 이야'],
    ['비밀번호를 1234로 초기화했습니다', '비밀번호를 [redacted]로 초기화했습니다'],
    ['비밀번호가 1111이면 통과', '비밀번호가 [redacted]이면 통과'],
    [
      '기본 아이디 admin / 비밀번호 1234 (이미 있으면 건너뜀)',
      '기본 아이디 admin / 비밀번호 [redacted] (이미 있으면 건너뜀)',
    ],
    ['아이디/비번: admin / 1234!@#$', '아이디/비번: admin / [redacted]'],
    ['- **비밀번호:** `98765432`', '- **비밀번호:** `[redacted]`'],
    ['비번: @1234!5', '비번: [redacted]'],
    ['비번은 !@#$ 야', '비번은 [redacted] 야'],
    ['12345678이 비밀번호야', '[redacted]이 비밀번호야'],
    ['비번은 hunter2임', '비번은 [redacted]임'],
    ['password는 abcd1234 입니다', 'password는 [redacted] 입니다'],
  ])('M18 finds a password of digits and signs in a Korean sentence: %s', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it.each([
    ['비밀번호는 사과나무12 입니다', '비밀번호는 [redacted] 입니다'],
    ['비밀번호는 사과나무12입니다.', '비밀번호는 [redacted]입니다.'],
    ['비밀번호는 사과나무12', '비밀번호는 [redacted]'],
    ['비밀번호는 사과나무!입니다', '비밀번호는 [redacted]입니다'],
    ['비밀번호는 "사과나무 12" 입니다', '비밀번호는 "[redacted]" 입니다'],
    ['암호가 달빛2024인데', '암호가 [redacted]인데'],
    ['패스워드를 봄바람99로 바꿨어', '패스워드를 [redacted]로 바꿨어'],
    ['비번 사과나무12야', '비번 [redacted]야'],
    ['비밀 번호: 온새미로!7', '비밀 번호: [redacted]'],
  ])('M18 finds a password that is written in Korean: %s', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it.each([
    '비밀번호는 8자 이상이어야 합니다',
    '비밀번호는 8~64 자로 정하세요',
    '비밀번호는 최소8자 이상',
    '비밀번호는 "8자 이상 20자 이하" 입니다',
    '비밀번호는 6자리숫자 입니다',
    '비밀번호: 영문+숫자8자',
    '비밀번호 길이: 12',
    '비밀번호는 3번 틀리면 잠긴다',
    '비밀번호는 1000 번 해시한다',
    '비밀번호는 2024-01-15 에 바뀌었다',
    '비밀번호는 90일마다 바꾼다',
    '비밀번호는 1회용',
    '비밀번호 #1234 이슈',
    '비밀번호 12891번 문제',
    '비밀번호는 버전2 에서 바뀐다',
    '비밀번호는 테이블2로 옮긴다',
    '비밀번호는 02-1234-5678로 문의하세요',
    '비밀번호는 필수입니다',
    '비밀번호는 필수!',
    '비밀번호가 틀렸습니다!',
    '비밀번호는 !@#$ 등을 포함해야 한다',
    '비밀번호는 암호화해서 저장한다',
    '비밀번호는 bcrypt로 해시한다',
    '비밀번호는 %1$s 입니다',
    '비밀번호는 **** 입니다',
    '아이디/비밀번호 찾기 / 회원가입',
    '암호는 2048 비트',
    'print("비밀번호: "+typed)',
    '토큰: 145010',
    '토큰은 12000 정도 썼다',
    '서비스어카운트토큰(serviceAccountToken)`은',
    'const df = now - pw.lastChange;',
  ])('M18 spares what is said about passwords in Korean: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    ['password: 12345678', 'password: [redacted]'],
    ['"password": 12345678,', '"password": [redacted],'],
    ['password: 12345678\nuser: admin', 'password: [redacted]\nuser: admin'],
    ['password: 12345678 user: admin', 'password: [redacted] user: admin'],
    ['password: 0000', 'password: [redacted]'],
    ['password: hunter', 'password: [redacted]'],
    ['# Default password: hunter', '# Default password: [redacted]'],
    [
      'smtp:\n  user: mailer\n  password: tangerine\n  port: 25',
      'smtp:\n  user: mailer\n  password: [redacted]\n  port: 25',
    ],
    ['password: hunter, user: admin', 'password: [redacted], user: admin'],
    ['log in as admin (password: hunter)', 'log in as admin (password: [redacted])'],
    ['Username: admin\nPassword: Tangerine', 'Username: admin\nPassword: [redacted]'],
    ['**Password:** hunter', '**Password:** [redacted]'],
    ['**Password**: hunter2', '**Password**: [redacted]'],
    ['<p>Password: hunter</p>', '<p>Password: [redacted]</p>'],
    ['password: Password!23', 'password: [redacted]'],
    ['host=db password=hunter sslmode=require', 'host=db password=[redacted] sslmode=require'],
    ['Server=db;Password=Hunter;Encrypt=True', 'Server=db;Password=[redacted];Encrypt=True'],
    ['https://app.test/?user=me&password=hunter', 'https://app.test/?user=me&password=[redacted]'],
  ])('M18 finds a password with nothing odd about it: %s', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it.each([
    'password: string',
    'password: String',
    'password: SecretStr',
    'password: bytes',
    'password: null',
    'password: true',
    'password: required',
    'password: optional',
    'password: too short',
    'password: This field may not be blank',
    'password: process.env.X',
    `password: \${PASSWORD}`,
    'password: $1, name: $2',
    'password: %s',
    'password: <your password>',
    'password: *default',
    'password: !secret db',
    'password: Passwort',
    'password:\n  type: string',
    'password: 4096 bits',
    'password := entered',
    'password_min_length: 12345',
    'passwordAttempts: 10000',
    'pass: 1234',
    'the password is required',
    'reset-password: done',
    'const { email, password: entered } = form',
    'login(user: name, password: entered)',
    'connect(user=user, password=entered, host=host)',
    '{\n  email: address,\n  password: digested\n}',
    '  email: address,\n  password: digested,\n',
  ])('M18 spares what follows the word password without being one: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    ['postgres://user:pa@ss@host/db', 'postgres://user:[redacted]@host/db'],
    [
      'postgres://user:p@a@s@s@db.test:5432/x?mail=a@b',
      'postgres://user:[redacted]@db.test:5432/x?mail=a@b',
    ],
    ['postgres://user:pass12@host?mail=a@b', 'postgres://user:[redacted]@host?mail=a@b'],
    ['postgres://user:pa#ss@host/db', 'postgres://user:[redacted]@host/db'],
    ['postgres://user:%40dmin12@host/db', 'postgres://user:[redacted]@host/db'],
    [
      'smtp://me@corp.test:hunter2@smtp.corp.test:587',
      'smtp://me@corp.test:[redacted]@smtp.corp.test:587',
    ],
    [`mysql://app:hunter2@\${DB_HOST}/shop`, `mysql://app:[redacted]@\${DB_HOST}/shop`],
  ])('M18 takes the whole password out of a URL: %s', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it.each([
    'http://localhost:5173?mail=a@b.test',
    'http://localhost:3000(admin@b.test)',
    'http://localhost:5173/@vite/client',
    'ssh://git@host.test:22/a',
  ])('M18 spares ports and addresses in URLs: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    ['Hugging Face', 'hf_', 34],
    ['Groq', 'gsk_', 52],
    ['xAI', 'xai-', 80],
    ['Supabase, of a project', 'sb_secret_', 31],
    ['Linear', 'lin_api_', 40],
    ['Docker', 'dckr_pat_', 27],
    ['Docker, of an organisation', 'dckr_oat_', 32],
    ['Toss Payments', 'live_sk_', 28],
    ['Toss Payments, for trials', 'test_sk_', 28],
    ['Toss Payments, of a widget', 'test_gsk_', 28],
  ])('M18 recognises a key of %s by its form', (_, prefix, length) => {
    const key = `${prefix}${'qJ7mZ2vR9tK4wB6nX3cH'.repeat(4).slice(0, length)}`;
    expect(redact(`we use ${key}, for now`)).toBe('we use [redacted], for now');
    expect(redact(`${key.slice(0, prefix.length + 8)} is how it begins`)).toContain(prefix);
  });

  it('M18 recognises hexadecimal keys of Supabase and Linear', () => {
    expect(redact(`sbp_${'0a1b2c3d'.repeat(5)}`)).toBe('[redacted]');
    expect(redact(`lin_oauth_${'0a1b2c3d'.repeat(8)}`)).toBe('[redacted]');
  });

  it.each([
    'from huggingface_hub import hf_hub_download',
    'hf_model_name_or_path_for_the_transformer_head',
    'xai-org/grok-1',
    'xai-grok-4-fast-reasoning-latest-preview',
    'lin_api_key',
    'live_ck_qJ7mZ2vR9tK4wB6nX3cHqJ7mZ2vR',
    'sb_publishable_qJ7mZ2vR9tK4wB6nX3cHqJ_7mZ2vR9t',
    'test_sketch_of_something_that_is_rather_long',
  ])('M18 spares what only begins like a key: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    [
      'GitHub recovery codes, keep them safe:\n1f3a9-bb027\n09c4e-7a1d2\n77be0-13f5c',
      ['1f3a9-bb027', '09c4e-7a1d2', '77be0-13f5c'],
    ],
    ['"backup_codes": ["48210937", "11928374"]', ['48210937', '11928374']],
    [
      'seed phrase (12 words): tornado velvet quarter lizard maple thunder olive harbor candle spider magnet frozen',
      ['tornado velvet', 'magnet frozen'],
    ],
    [
      'kind: Secret\nmetadata:\n  name: x\ndata:\n  username: YWRtaW4=\n  redis: cmVkaXMtUTd6NDRwYXNz',
      ['cmVkaXMtUTd6NDRwYXNz'],
    ],
    ['ops:{SSHA}kQ7zR4tY9uI0pL3kJ6hG5fD2sA1qW8eR', ['kQ7zR4tY9uI0pL3k']],
    ['Invalid API key: 8Fq2LmZ7xT4vR9bN1cK6', ['8Fq2LmZ7xT4vR9bN1cK6']],
    ['the pass for user mina: she logs in with user mina, pass Moss!Fern8', ['Moss!Fern8']],
    ['접속 정보: deploy / Moss!Fern8', ['Moss!Fern8']],
    ['Moss!Fern8 로 비밀번호를 바꿨습니다', ['Moss!Fern8']],
    [String.raw`printf 'user=x\npassword=Moss-Fern8\n\n' | helper`, ['Moss-Fern8']],
    ["localStorage.setItem('access_token', '8Fq2LmZ7xT4vR9bN1cK6')", ['8Fq2LmZ7xT4vR9bN1cK6']],
    ['here is the token:\n```\n8Fq2LmZ7xT4vR9bN1cK6\n```', ['8Fq2LmZ7xT4vR9bN1cK6']],
  ])('L1c finds what is spread over a text: %s', (text, secrets) => {
    const clean = redact(text);
    for (const secret of secrets) expect(clean).not.toContain(secret);
    expect(clean).toContain('[redacted]');
  });

  it.each([
    '--- PASS: TestLogin_KeepsSession2 (0.00s)',
    'All tests pass: `npm run test:ci`',
    'Now fix the calls to pass `state.WorktreeID2`:',
    '"session_id": "2026-01-27-4a56e049-55bb-4fe5-b8aa-2b77bae3423d"',
    'session=01JPXA51DRJMF7PWVSKTMVYXJ6 started',
    'Basic functionality of the token store, tests basic authentication2',
    '| TestLogin | PASS |\n| TestLogout | **FAIL** |',
    'Cache restored from key: linux-npm-34c2623ef7768665fcf0c71c75d48502df4bad6349dd534411eda15f425fd7a2',
    'a38ff03c6f8f2dfe7cde07fd46be35882f052c1b feat(secret): scan before push',
    'POSTGRES_PASSWORD=mysecretpassword',
    'DB_PASSWORD=vault:secret/data/db#password',
    '50\t\tpw   *io.PipeWriter',
    '$password = ConvertTo-SecureString $plain -AsPlainText',
    'GET /invite/72a918f5-b8ac-40a2-a09c-4f7b8a858772 200',
    'git show origin/me/token-usage-to-agent:core/agent/agent.go',
    '{"authoredDate":"2026-02-15T15:58:09Z"}',
    'wantPass: "my-bearer",',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJlLWhlcmU',
  ])('L1c spares what the work is full of: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('leaves ordinary text exactly as it is', () => {
    const text =
      '토큰 사용량은 145,010이고, 비밀번호 정책은 그대로다.\n\tconst token = lexer.next();\n🙂 https://example.com/a?b=c#d';
    expect(redact(text)).toBe(text);
  });

  it('L1c a text without a word that suggests a secret comes back as the same string', () => {
    const letters = 'bcdfghjlmnqrvxz {}()[]<>#!?\n\t가나다라';
    const random = lottery(3);
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: random(400) }, () => letters[random(letters.length)]).join(
        '',
      );
      expect(redact(text)).toBe(text);
    }
  });

  it('L1c no planted secret is left, whatever stands around it', () => {
    const random = lottery(5);
    const drawn = (length: number) =>
      Array.from({ length }, () => LETTERS[random(LETTERS.length)]).join('');
    const planted: ((secret: string) => string)[] = [
      (secret) => `API_TOKEN=${secret}`,
      (secret) => `"client_secret": "${secret}",`,
      (secret) => `Authorization: Bearer ${secret}`,
      (secret) => `postgres://app:${secret}@db.test/shop`,
      (secret) => `curl -u admin:${secret} https://x.test`,
      (secret) => `비밀번호는 ${secret} 입니다`,
      (secret) => `the password is ${secret} for now`,
      (secret) => `ghp_${secret}${secret}`,
    ];
    const noise = [
      'token ',
      'password',
      ' = ',
      '"',
      "'",
      '://',
      '비밀번호',
      '\n',
      '```',
      '{',
      'key: ',
    ];
    for (let round = 0; round < 600; round++) {
      const secret = `Q7${drawn(28)}z4`;
      const around = () =>
        Array.from({ length: random(12) }, () => noise[random(noise.length)]).join('');
      const plant = planted[round % planted.length] as (secret: string) => string;
      const clean = redact(`${around()}\n${plant(secret)}\n${around()}`);
      expect(clean).not.toContain(secret.slice(0, 16));
      expect(clean).not.toContain(secret.slice(-16));
    }
  });

  it('L1c a text that would take too long is withheld around its words, and only there', () => {
    const secret = 'hunter-Moss-77';
    const hostile = 'password: a token, key '.repeat(40_000);
    const story = 'We went for a walk along the river and came home late. ';
    const clean = redact(`${story}${hostile}password: ${secret} ${story.repeat(8)}`);
    expect(clean).not.toContain(secret);
    expect(clean.startsWith(story)).toBe(true);
    expect(clean.endsWith(story)).toBe(true);
    expect(clean.length).toBeLessThan(hostile.length);
  });

  it('L1c private text goes even where the search has settled everything', () => {
    const hostile = 'password: a token, key '.repeat(40_000);
    expect(redact(`${hostile}<private>my salary</private> end`)).not.toContain('salary');
  });

  it.each([
    ['curl -u 8c1d5f0e7a42b96e3d0f1c2b5a6978e4d3c2b1a0: https://ci.test', '8c1d5f0e7a42b96e'],
    ['https://9f3c2ab17de84056b1c3d29ae4f70815c2d6e3b4:@api.test/v1', '9f3c2ab17de84056'],
    ['wandb login 4b8c1d9e0f2a7365c8d1e4f7a0b3c6d9e2f58a1b', '4b8c1d9e0f2a7365'],
    ['%any : PSK "brookTrout!lane"', 'brookTrout!lane'],
    ['Use this setup key instead: KRSXG5CTMVRXEZLU', 'KRSXG5CTMVRXEZLU'],
    ['username admin privilege 15 password 0 Tulip_Anvil7', 'Tulip_Anvil7'],
    ['127.0.0.1:6379> AUTH Tulip_Anvil7', 'Tulip_Anvil7'],
    ['rabbitmqctl change_password worker Tulip_Anvil7', 'Tulip_Anvil7'],
    ['dsn := "shop:kW8$tz!Lq2@tcp(127.0.0.1:3306)/shop"', 'kW8$tz!Lq2'],
    ['htpasswd -nbB admin Tulip_Anvil7', 'Tulip_Anvil7'],
    ['keytool -importkeystore -srcstorepass Tulip_Anvil7', 'Tulip_Anvil7'],
    ['az keyvault secret set --vault-name kv --name db --value "Tulip_Anvil7"', 'Tulip_Anvil7'],
    ["kinit kim@CORP.TEST <<< 'Tulip_Anvil7'", 'Tulip_Anvil7'],
    ['somedb-shell -h db -p Tulip!Anvil7 -d shop', 'Tulip!Anvil7'],
    ['subprocess.run(["sshpass", "-p", "Tulip_Anvil7", "ssh", host])', 'Tulip_Anvil7'],
    ['export JWT_SECRET=$(echo -n 4b8c1d9e0f2a7365c8d1e4f7a0b3c6d9)', '4b8c1d9e0f2a7365'],
    ['radius-server host 10.1.1.1 key Tulip_Anvil7', 'Tulip_Anvil7'],
    ['user worker on >Tulip_Anvil7 ~jobs:* +@all', 'Tulip_Anvil7'],
    ['cache_peer up parent 3128 0 login=kim:Tulip_Anvil7', 'Tulip_Anvil7'],
    ['CREATE USER shop IDENTIFIED BY Tulip_Anvil7', 'Tulip_Anvil7'],
    ['xcrun notarytool submit a.zip --password wqkr-htzv-mbnc-xlpd', 'wqkr-htzv'],
    ['kim:Tulip_Anvil7@db.shop.test is the source', 'Tulip_Anvil7'],
  ])('L1c finds what a command is given without a name: %s', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  it.each([
    ["jwt.sign({ sub: id }, 'velvet-anchor-under-the-pine-1975', { expiresIn: '1h' })", '1975'],
    ["crypto.createHmac('sha256', 's9dk3lf02mbn48fj2l').update(body)", 's9dk3lf02mbn48fj2l'],
    ["$db = new mysqli('localhost', 'shop', 'Tulip_Anvil7', 'shop');", 'Tulip_Anvil7'],
    ['DriverManager.getConnection(url, "shop", "Tulip_Anvil7");', 'Tulip_Anvil7'],
    ["Mixer('9d2e11c7b0a84f35e6c8d7a1b2f30495')  // api key", '9d2e11c7b0a84f35'],
  ])('L1c finds what a call is given without a name: %s', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  it.each([
    ['$ cat config/master.key\nc0ffe18a2b47d9630e5f8a1c2d3b4e5f', 'c0ffe18a2b47d963'],
    ['Copy this token now:\n\n  6gSarvL7bqdKw65os0msN7RzFQwacZ2x', '6gSarvL7bqdKw65o'],
    ['name,user,password\nwiki,kim,Tulip_Anvil7', 'Tulip_Anvil7'],
    [' id | api_token\n----+----\n  1 | kd83ls02fkwm4lq9zxvtrbynpchs2dga', 'kd83ls02fkwm4lq9'],
    ["INSERT INTO users (name, password) VALUES ('a', 'b'), ('kim', 'Tulip_Anvil7');", 'Anvil7'],
    ['COPY t (id, token) FROM stdin;\n7\tkd83ls02fkwm4lq9zxvtrbynpchs2dga\n\\.', 'kd83ls02fkwm'],
    ['params={user=[tom], password=[sandstein41]}', 'sandstein41'],
    ['# | user | password |\n# |---|---|\n# | kim | Tulip_Anvil7 |', 'Tulip_Anvil7'],
    ["await type(screen.getByLabelText(/password/i), 'Tulip_Anvil7')", 'Tulip_Anvil7'],
    ['<property name="db.password">tul1panvil</property>', 'tul1panvil'],
    ['office wifi is Cabin-5G, key tulipanvil42', 'tulipanvil42'],
    ['A temporary password is generated for root@localhost: tu;Lip8Anv-il', 'Lip8Anv-il'],
    ["Password for 'https://kim@git.test': Tulip_Anvil7", 'Tulip_Anvil7'],
    ['spring.mail.password: wqkr htzv mbnc xlpd', 'htzv mbnc'],
    ['the passphrase is "seven quiet otters swim"', 'quiet otters'],
    ['The recovery code is K7LM-9QXZ-2VBN', '9QXZ-2VBN'],
    ['Try logging in as kim@shop.test with Tulip_Anvil7', 'Tulip_Anvil7'],
    ['초기 비밀번호(사번)는 20210455입니다', '20210455'],
    ['임시 비밀번호 [Tu8lip2Q]가 발급되었습니다', 'Tu8lip2Q'],
    ['구글 앱 비밀번호 wqkr htzv mbnc xlpd 넣으면 됩니다', 'htzv mbnc'],
    ['인증번호 [482913]를 입력하세요', '482913'],
    ['네이버 API: client id abcDEF12, secret RG3Z4qp0RI', 'RG3Z4qp0RI'],
  ])('L1c finds a value away from its name: %j', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  it.each([
    'jwt.verify(token, process.env.JWT_SECRET)',
    "jwt.sign({ id: 1 }, 'test-secret-key-123')",
    "crypto.createHash('sha256').update('hello-world-1234').digest('hex')",
    '$ git log --grep password\n9f3c2ab17de84056b1c3d29ae4f70815c2d6e3b4',
    '$ cat src/password.ts\nimport{hash}from"bcrypt";',
    'Functions that use the secret:\ncomputeHmacSha256Digest',
    '| field | password |\n|---|---|\n| length | at least 12 |',
    'id,name,token_count\n1,kim,2231',
    "INSERT INTO users (name, password) VALUES ($1, $2), ('kim', 'changeme');",
    'wrong password 3 attempts left',
    'enable password authentication in sshd_config',
    'Deployed Token to: 0x7421c3a8013f03cbf2131f64fa57c4ee47bd49c3',
    'root:password@tcp(localhost:3306)/test',
    'docker run -p 8080:80 -w /app node:20',
    'unzip -P archive2.zip` and look',
    'aws ssm put-parameter --name /app/db --value file://value.json',
    'wifi chip key: BCM43455c0',
    '인증번호 6자리를 입력하세요',
    'Authorization: Basic dXNlcjpwYXNz (user:pass)',
    '2026-03-02T10:11:12.345Z DB_PASSWORD=\n2026-03-02T10:11:12.346Z REDIS_URL=',
    'src/config/app.ts:3:What is the password policy for service accounts?',
    'Please update the password hashing to argon2id, then run the migrations.',
    'Idempotency-Key: 9d2e11c7b0a84f35e6c8d7a1b2f30495',
    'gh auth login --hostname github.enterprise-internal.test',
    'AccountKey=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==',
  ])('L1c leaves what stands in the same places: %j', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('M18 a tag of private text may be written in any case, with blanks, never half', () => {
    expect(redact('a <pRiVaTe \n>b</PRIVATE\t> c')).toBe('a  c');
    expect(redact('a <private b </private c')).toBe('a <private b </private c');
    expect(redact('<<private>b<</private>c')).toBe('<c');
  });

  it('changes nothing the second time', () => {
    for (const { text } of tuning) expect(redact(redact(text))).toBe(redact(text));
  });

  it('finishes hostile texts in time', () => {
    const nasty = [
      'password='.repeat(20_000),
      `a${'://'.repeat(50_000)}`,
      '-----BEGIN PRIVATE KEY-----'.repeat(5000),
      '토큰 '.repeat(50_000),
      'pass'.repeat(50_000),
      `password${' '.repeat(200_000)}`,
      'password: hunter '.repeat(10_000),
      '비밀번호:'.repeat(40_000),
      `비밀번호:${'가'.repeat(200_000)}`,
      `비밀번호${' '.repeat(200_000)}가`,
      `${'pw:'.repeat(60_000)}가`,
      `x://a:${'@'.repeat(200_000)}`,
      '<private>'.repeat(20_000),
      '<private '.repeat(20_000),
      '</private>'.repeat(20_000),
      'jwt.sign('.repeat(20_000),
    ];
    for (const text of nasty)
      expect(redact(text).length).toBeLessThanOrEqual(text.length + 200_000);
  });
});

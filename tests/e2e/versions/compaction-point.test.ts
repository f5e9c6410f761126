import {
  at,
  compactionPoints,
  LOCAL,
  POINTS,
  type PointCase,
  PROJECT,
  SMALL,
  USER,
} from '../cases/compaction-point.ts';

const OPUS = 'claude-opus-5-5';
const OLDER_OPUS = 'claude-opus-4-7';
const SONNET = 'claude-sonnet-4-5';
const OFF = at(null, 'off');
const set = (tokens: number) => at(tokens, 'setting');
const large = (tokens: unknown) => ({ modelSettings: { [OPUS]: { autoCompactWindow: tokens } } });

const OVERRIDES: PointCase[] = [
  {
    name: 'the project, over the user',
    model: OPUS,
    files: { [USER]: SMALL, [PROJECT]: { autoCompactWindow: 250_000 } },
    shown: set(217_000),
  },
  {
    name: 'the local file, over the project',
    model: OPUS,
    files: { [PROJECT]: SMALL, [LOCAL]: { autoCompactWindow: 150_000 } },
    shown: set(117_000),
  },
  { name: 'for the model', model: OPUS, files: { [USER]: large(200_000) }, shown: set(167_000) },
  {
    name: '"auto" for the model',
    model: OPUS,
    files: { [USER]: { ...SMALL, ...large('auto') } },
    shown: at(967_000, 'default'),
  },
  {
    name: 'the project, over what the user set for the model',
    model: OPUS,
    files: { [USER]: large(300_000), [PROJECT]: SMALL },
    shown: set(167_000),
  },
  {
    name: 'a size that it does not take',
    model: OPUS,
    files: { [USER]: { autoCompactWindow: 50_000 } },
    shown: at(967_000, 'default'),
  },
  {
    name: 'a variable of the settings, over that of the process',
    model: OPUS,
    files: { [PROJECT]: { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' } } },
    env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '300000' },
    shown: set(167_000),
  },
  {
    name: 'a small variable, which counts as the smallest',
    model: OPUS,
    env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '250' },
    shown: at(67_000, 'environment'),
  },
  {
    name: 'short replies',
    model: OPUS,
    files: { [USER]: SMALL },
    env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8000' },
    shown: set(179_000),
  },
  {
    name: 'more than a small window',
    model: SONNET,
    files: { [USER]: { autoCompactWindow: 400_000 } },
    shown: set(167_000),
  },
  {
    name: 'a share, which nothing comes of where the limit is waited for',
    model: SONNET,
    env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' },
    shown: at(200_000, 'limit'),
  },
  {
    name: 'the small window for a large model',
    model: OPUS,
    files: { [USER]: { env: { CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' } } },
    shown: at(167_000, 'default'),
  },
  { name: 'nothing, of Opus 4.6', model: 'claude-opus-4-6', shown: at(167_000, 'default') },
  {
    name: 'nothing, of one with the large window',
    model: 'claude-sonnet-4-6[1m]',
    shown: at(1_000_000, 'limit'),
  },
  {
    name: 'the switch of the user',
    model: OPUS,
    files: { [USER]: { ...SMALL, autoCompactEnabled: false } },
    shown: OFF,
  },
  {
    name: 'the switch of the project',
    model: OPUS,
    files: { [USER]: SMALL, [PROJECT]: { autoCompactEnabled: false } },
    shown: OFF,
  },
  {
    name: 'DISABLE_AUTO_COMPACT',
    model: OPUS,
    files: { [USER]: SMALL },
    env: { DISABLE_AUTO_COMPACT: '1' },
    shown: OFF,
  },
  {
    name: 'DISABLE_COMPACT in a project',
    model: OPUS,
    files: { [USER]: SMALL, [PROJECT]: { env: { DISABLE_COMPACT: '1' } } },
    shown: OFF,
  },
];

/** The defaults of each version, and what all of them obey. */
const older = (small: PointCase['shown'], big: PointCase['shown']): PointCase[] => [
  { name: 'nothing, of a small model', model: SONNET, shown: small },
  { name: 'nothing, of a large one', model: OLDER_OPUS, shown: big },
  { name: 'nothing, of Opus 4.6', model: 'claude-opus-4-6', shown: at(167_000, 'default') },
  {
    name: 'autoCompactWindow of the project',
    model: OLDER_OPUS,
    files: { [PROJECT]: SMALL },
    shown: set(167_000),
  },
  {
    name: 'CLAUDE_CODE_AUTO_COMPACT_WINDOW',
    model: OLDER_OPUS,
    env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' },
    shown: at(167_000, 'environment'),
  },
];

const FULL = at(200_000, 'limit');
const AHEAD = at(967_000, 'default');

compactionPoints('claude', OVERRIDES);
compactionPoints('claude 2.1.326', POINTS);
compactionPoints('claude 2.1.300', older(FULL, AHEAD));
compactionPoints('claude 2.1.287', older(FULL, AHEAD));
compactionPoints('claude 2.1.240', older(FULL, at(1_000_000, 'limit')));
compactionPoints('claude 2.1.213', older(FULL, at(1_000_000, 'limit')));
compactionPoints('claudeOldest', older(at(167_000, 'default'), AHEAD));

/** A command line tool that sifts logs, over three weeks: flags, speed, a release. */
import { claude, type Story, tool, user } from './story.ts';

const STDERR = 'Diagnostics go to stderr; stdout carries matches and nothing else.';

export const toolStory: Story = {
  name: 'logsift',
  sections: {
    'Core Decisions':
      '- stdout carries matches only, diagnostics go to stderr.\n- No configuration file before version 1.',
    'Current State':
      '- Version: 0.6.0\n- Status: reading gzip without unpacking works\n- Last updated: ',
    'Known Issues': '',
  },
  sessions: [
    {
      daysAgo: 21,
      at: '18:05',
      lines: [
        user(
          'Diagnostics go to stderr; stdout carries matches and nothing else. People pipe this.',
          {
            kind: 'decision',
            content: STDERR,
            quote: 'Diagnostics go to stderr; stdout carries matches and nothing else.',
            keywords: ['stdout', 'stderr'],
          },
        ),
        claude(
          'Then --verbose writes to stderr as well, and the exit code is 1 when nothing matched, as grep does it.',
          {
            kind: 'pattern',
            content: 'The exit code is 1 when nothing matched, as grep does it.',
            keywords: ['exit code'],
          },
        ),
        tool('Bash', 'cargo test', 'test result: ok. 64 passed; 0 failed'),
      ],
      summary: 'stdout carries matches only, the exit code is 1 when nothing matched. 64 tests.',
    },
    {
      daysAgo: 12,
      at: '19:40',
      lines: [
        user(
          '--since must take "2h", "yesterday" and ISO times, in the time zone of the log, not of the machine.',
          {
            kind: 'decision',
            content: '--since takes "2h", "yesterday" and ISO times, in the time zone of the log.',
            keywords: ['--since', 'time zone'],
          },
        ),
        claude('A log without a zone is read as UTC, and --zone overrides it.', {
          kind: 'pattern',
          content: 'A log without a zone is read as UTC, and --zone overrides it.',
          keywords: ['time zone'],
        }),
        tool('Bash', 'cargo bench since', 'since/parse  time: [212 ns 214 ns 217 ns]'),
        user('And keep it: diagnostics go to stderr, stdout carries matches and nothing else.', {
          kind: 'decision',
          content: STDERR,
          quote: 'diagnostics go to stderr, stdout carries matches and nothing else',
        }),
      ],
      summary:
        '--since understands "2h", "yesterday" and ISO times in the zone of the log; without one it is UTC, --zone overrides it.',
    },
    {
      daysAgo: 3,
      at: '20:10',
      lines: [
        user('Read .gz without unpacking to disk. 200 MB a second or better on this laptop.', {
          kind: 'decision',
          content: '.gz files are read without unpacking to disk, at 200 MB a second or better.',
          keywords: ['gzip', 'speed'],
        }),
        tool('Bash', 'cargo bench gzip', 'gzip/read  thrpt: [241 MiB/s 244 MiB/s 246 MiB/s]'),
        claude(
          '244 MiB a second by reading ahead in a thread of its own. On one core it falls to 150.',
          {
            kind: 'note',
            content: 'gzip reads 244 MiB a second with a thread of its own, 150 on one core.',
            keywords: ['gzip', 'speed'],
          },
        ),
        user('A torn last block panics. A crashed service leaves exactly that.', {
          kind: 'issue',
          content: 'A torn last block of a gzip file panics.',
          quote: 'A torn last block panics.',
          keywords: ['gzip', 'panic'],
        }),
        claude(
          'Warnings about it will go to stderr: diagnostics go to stderr, stdout carries matches and nothing else.',
          {
            kind: 'decision',
            content: STDERR,
            quote: 'diagnostics go to stderr, stdout carries matches and nothing else',
          },
        ),
      ],
      summary: '.gz is read without unpacking, 244 MiB a second. A torn last block still panics.',
    },
  ],
};

import { describe, expect, it } from 'vitest';
import type { L1Entry, ToolEntry } from '../log/l1-refine.ts';
import { sessionWork } from './session-work.ts';

let count = 0;
const said = (role: 'user' | 'assistant', text: string): L1Entry => ({
  id: `e${count++}`,
  ts: '',
  role,
  text,
});
const call = (name: string, cmd: string, more: Partial<ToolEntry> = {}): L1Entry => ({
  ...{ id: `e${count++}`, ts: '', role: 'tool', name, cmd, output: '' },
  ...more,
});
const text = (entries: readonly L1Entry[], room = 15_000) =>
  sessionWork(entries, room)
    .map(({ title, items }) => `## ${title}\n${items.join('\n')}`)
    .join('\n');
/** Steps of other work, so that what is tested is not among the last ones. */
const filler = Array.from({ length: 60 }, (_, n) =>
  said('assistant', `Step ${n} of the migration went well, ${'as it should '.repeat(10)}`),
);

const work: L1Entry[] = [
  said('user', 'Never touch the billing folder. Move the settings page to the new router.'),
  call('Read', 'src/settings/SettingsPage.tsx', { detail: 'lines 1-80' }),
  call('Edit', 'src/router/routes.ts', {
    change:
      "-  '/settings': LegacySettings,\n+  '/settings': lazy(() => import('./SettingsPage')),",
  }),
  call('Bash', 'npm test -- router', {
    output: 'Exit code 1\nTypeError: buildRoutes is not a function',
    isError: true,
  }),
  call('Bash', 'npm run lint', { output: 'error in lintTarget', isError: true }),
  call('Bash', 'npm run lint'),
  said('assistant', 'The reason is that `buildRoutes` was renamed to `createRouteTable` in v7.'),
  ...filler,
  said('user', 'Good. Now the same for the profile page.'),
  said('assistant', 'I start with ProfilePage.tsx.'),
];

describe('the work of a session', () => {
  it('K2 has every request in the user’s own words, the newest in full', () => {
    const long = `Now ${'explain this carefully '.repeat(200)}`.trim();
    const told = text([...work, said('user', long)], 30_000);
    expect(told).toContain('Never touch the billing folder.');
    expect(told).toContain('Now the same for the profile page.');
    expect(told).toContain(long);
  });

  it('K2 has a short answer with what it answers', () => {
    const told = text([
      ...work,
      said('assistant', 'Two ways are open.\nShall I keep the old route as well?'),
      said('user', 'no'),
      said('user', 'And write a test for it, please, in the folder of the others.'),
    ]);
    expect(told).toContain('- (to “Shall I keep the old route as well?”) no\n');
  });

  it('K2 of very many requests each is shorter, and the oldest are counted', () => {
    const requests = Array.from({ length: 400 }, (_, n) =>
      said('user', `Request ${n}: ${'word '.repeat(40)}`),
    );
    const asked = sessionWork(requests, 10_000).find(({ title }) => title.includes('asked before'));
    expect(asked?.items.at(-1)).toContain('Request 398:');
    expect((asked?.items.length ?? 0) + (asked?.more ?? 0)).toBe(399);
  });

  it('K2 tells of each file what was changed in it', () => {
    expect(text(work)).toMatch(
      /- The file src\/router\/routes\.ts was edited once\n +-.*LegacySettings[\s\S]*lazy\(\(\) => import/,
    );
  });

  it('K2 tells which command fails with which error, and not those that work again', () => {
    const told = text(work);
    expect(told).toMatch(/Ran npm test -- router failed:\n[\s\S]*buildRoutes is not a function/);
    expect(told).not.toContain('lintTarget');
    const notThere = call('Read', 'src/nowhere.ts', { output: 'No such file', isError: true });
    expect(text([notThere, ...work])).not.toContain('nowhere.ts failed');
  });

  it('K2 tells what Claude found on the way, once', () => {
    const again = said(
      'assistant',
      'As said, buildRoutes and createRouteTable are one and the same thing, whatever the old guide says of them.',
    );
    const told = text([...work.slice(0, 7), again, ...work.slice(7)]);
    expect(told).toContain('was renamed to `createRouteTable`');
    expect(told).not.toContain('As said');
  });

  it('K2 tells the lines of one reply in their order, long and short', () => {
    const reply = said(
      'assistant',
      'First the longer line about parseSettings and how it was written down.\nThen loadTheme works.',
    );
    const told = text([...work.slice(0, 7), reply, ...work.slice(7)]);
    expect(told.indexOf('parseSettings')).toBeGreaterThan(0);
    expect(told.indexOf('parseSettings')).toBeLessThan(told.indexOf('loadTheme'));
  });

  it('K2 ends with the last steps as they were', () => {
    const edit = call('Edit', 'src/profile/ProfilePage.tsx', { change: '-old()\n+fresh()' });
    const told = text([...work, edit]);
    expect(told.slice(told.indexOf('## The last steps'))).toMatch(
      /I start with ProfilePage\.tsx\.\n- Edit of file_path src\/profile\/ProfilePage\.tsx[\s\S]*old_string:\n +old\(\)\nnew_string:\n +fresh\(\)$/,
    );
  });

  it('K2 has the plan as it stands', () => {
    const plan = call('TodoWrite', '[x] settings\n[ ] profile', { isPlan: true });
    expect(text([...work, plan])).toContain('## The plan, as it stands\n[x] settings\n[ ] profile');
  });

  it('A9 leaves out Claude Code’s own words and commands that are no requests', () => {
    const told = text([...work, said('user', '/clear'), said('assistant', 'Prompt is too long')]);
    expect(told).not.toMatch(/Prompt is too long|\/clear/);
    expect(sessionWork([said('user', '/clear')], 10_000)).toEqual([]);
  });

  it('K2 begins with what is wanted now and where it stands', () => {
    const told = text(work);
    expect(told).toMatch(
      /^## What the user wants now\nGood\. Now the same for the profile page\.\n\(Before that the user had said: “Never touch .*”\)\n## Where things stand\n- Claude spoke last: “I start with ProfilePage\.tsx\.”\n/,
    );
    expect(text(work.slice(0, -1))).toContain('- The newest request has not been answered yet.');
    const asks = said('assistant', 'Both are possible.\nShall I keep the old page?');
    expect(text([...work, asks])).toContain('asked the user: “Shall I keep the old page?”');
    const edit = call('Edit', 'src/profile/ProfilePage.tsx', { change: '+fresh()' });
    expect(text([...work, edit])).toContain(
      'still at work on the newest request; the last step: Edited the file src/profile/ProfilePage.tsx. Claude’s last words were: “I start with ProfilePage.tsx.”',
    );
  });

  it('K2 tells what the user chose when Claude asked back', () => {
    const told = text([
      said('user', 'Publish it with a token of the organisation, please.'),
      call('AskUserQuestion', 'Which kind of token?'),
      { ...said('user', 'One of an app'), isAnswer: true } as L1Entry,
    ]);
    expect(told).toContain('(Then the user answered: (to “Which kind of token?”) One of an app)');
    expect(told).toContain('- The user has just answered a question of Claude');
    expect(told).not.toContain('has not been answered yet');
  });

  it('K2 tells which checks passed and failed last, and whether anything changed since', () => {
    const edit = call('Edit', 'src/a.ts', { change: '+x' });
    const passed = call('Bash', 'cd app && npm test 2>&1 | tail -5', { output: '12 passed' });
    const piped = call('Bash', 'npm test | tail -5', { output: 'FAIL src/a.test.ts\n1 failed' });
    const look = call('Bash', 'grep -rn test src', { output: 'nothing' });
    expect(text([...work, edit, passed, look])).toContain(
      '- Checks, the newest first: `npm test` passed',
    );
    expect(text([...work, edit, passed])).not.toContain('npm test -- router` FAILED');
    expect(text([...work, passed, edit])).toContain(
      'none since the last change; before it: `npm test` passed',
    );
    expect(text([...work, passed, piped])).toContain('`npm test` FAILED (FAIL src/a.test.ts)');
    const linted = call('Bash', 'npm run lint | head -9', {
      output: 'src/a.ts:3 unused\n2 issues:',
    });
    expect(text([...work, linted])).toContain('`npm run lint` FAILED');
    const quiet = call('Bash', 'npm test | grep -c it', { output: '12' });
    expect(text([...work, quiet])).toContain('`npm test` showed no failure');
    expect(text([said('user', 'Write it'), edit])).toContain('No test, build or lint has been run');
  });

  it('K2 tells what is done for good: commits, pull requests, issues, reports of agents', () => {
    const told = text([
      ...work,
      call('Bash', 'git commit -m "Move the page"', {
        output: '[main 1a2b3c4] Move the page\n 2 files changed',
      }),
      call('Bash', 'gh pr create --title "Move it"', { output: 'https://example.com/pull/7' }),
      call('mcp__tracker__create_issue', 'Later work', { output: 'ABC-12' }),
      call('Agent', 'Review the router', { output: '## Result\nTwo flaws were found in it.' }),
      call('Edit', 'src/after.ts', { change: '+x' }),
    ]);
    expect(told).toContain('- Committed 1a2b3c4 on main: Move the page\n');
    expect(told).toContain('→ https://example.com/pull/7\n');
    expect(told).toContain('- tracker create_issue: Later work → ABC-12\n');
    expect(told).toContain('asked: Review the router. It reported: Two flaws were found in it.');
    expect(told).toContain('- Changed after the last commit: after.ts.');
  });

  it('K2 names every file that was changed, with Claude’s reason, also those of the last steps', () => {
    const told = text([
      said('user', 'Split the parser.'),
      said('assistant', 'Good. Now let me move the tokens into a file of their own:'),
      call('Write', 'src/tokens.ts', { change: '+export const x = 1' }),
      call('Edit', 'src/tokens.ts', { change: '+export const y = 1' }),
      call('Edit', 'src/parser.ts', { change: '-x' }),
      call('Write', 'src/old.ts', { change: '+x' }),
      call('Bash', 'git rm src/old.ts'),
    ]);
    expect(told).toContain(
      '- The file src/tokens.ts was newly written and changed once since; Claude: “move the tokens into a file of their own”\n',
    );
    expect(told).toContain('- The file src/parser.ts was edited once\n');
    expect(told).toContain('- The file src/old.ts was newly written, deleted since');
  });

  it('K2 says of a plan that it is older than the newest request, and what is open in it', () => {
    const plan = call('TodoWrite', '[x] settings\n[ ] profile', { isPlan: true });
    expect(text([...work, plan])).toContain('- The plan: 1 of 2 done; next: profile.');
    const refused = call('ExitPlanMode', '# Plan B', { isPlan: true, isRefused: true });
    expect(text([...work, refused])).toContain('## The plan, which the user did not approve');
    const later = text([...work, plan, said('user', 'Something else first, please.')]);
    expect(later).toContain('## The plan, made before the newest request\n[x] settings');
    expect(later).not.toContain('1 of 2 done');
  });

  it('K2 does not tell the newest request again among the last steps', () => {
    expect(text(work).match(/Now the same for the profile page/g)).toHaveLength(1);
  });

  it('K2 marks whose words are whose, each answer below its request', () => {
    expect(text(work)).toMatch(
      /\n- Never touch the billing folder\..*\n {2}Claude: The reason is that `buildRoutes`/,
    );
  });

  it('K2 leaves out what was offered, and tells the choice that was taken', () => {
    const told = text([
      said('user', 'How should the cache be kept?'),
      said('assistant', '1. In redisStore with a lease\n2. In fileStore, simple\n\nWhich one?'),
      said('user', 'I think 2 is right'),
      ...filler,
      said('user', 'Go on with the tests of it, please.'),
    ]);
    expect(told).toContain('- (to “2. In fileStore, simple”) I think 2 is right');
    expect(told).not.toContain('redisStore');
  });

  it.each([3000, 9000, 20_000])('K2 stays within %i characters, whatever was said', (room) => {
    const huge = [
      ...work,
      ...Array.from({ length: 300 }, (_, n) =>
        call('Edit', `src/part-${n}/fileName${n}.ts`, {
          change: `+ const someValue${n} = computeThe_${n}(thing${n})\n`.repeat(9),
        }),
      ),
      said('user', 'x'.repeat(50_000)),
    ];
    expect(text(huge, room).length).toBeLessThanOrEqual(room);
  });
});

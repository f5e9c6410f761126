/** The command that goes back (K9): it works when pasted, whatever the folder is called. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { resumeCommand } from './resume-command.ts';

const ID = '11111111-2222-4333-8444-555555555555';

describe('the command that resumes a conversation', () => {
  it.each([
    'plain',
    'with blanks',
    "it's",
    '$HOME `id` $(id)',
    '"; echo owned; "',
    "'; echo owned; '",
    '-rf',
    '프로젝트 😀',
    'a\\b!c*d?e[f]~{g,h}#i&j|k<l>m',
    '%PATH%',
  ])('K9 T3 changes to the folder %s and nothing else happens', (name) => {
    const folder = join(realpathSync(tempFolder()), name);
    mkdirSync(folder);
    const programs = tempFolder();
    writeFileSync(join(programs, 'claude'), '#!/bin/sh\npwd\nprintf "%s\\n" "$@"\n');
    chmodSync(join(programs, 'claude'), 0o755);
    const command = resumeCommand(folder, ID, 'linux');
    const env = { PATH: `${programs}:/usr/bin:/bin`, HOME: '/' };
    const printed = execFileSync('sh', ['-c', command], { env, encoding: 'utf8' });
    expect(printed).toBe(`${folder}\n--resume\n${ID}\n`);
  });

  it('K9 for Windows goes on two lines, which PowerShell and cmd both understand', () => {
    expect(resumeCommand('D:\\my app', ID, 'win32')).toBe(
      `pushd "D:\\my app"\r\nclaude --resume ${ID}`,
    );
    expect(resumeCommand("D:\\it's $x", ID, 'win32')).toMatch(/^pushd 'D:\\it''s \$x'\r\n/);
  });

  it.each(['a\nb', 'a\u001b[201~b', 'a\u202eb', 'a\rb', 'a\u2028b'])(
    'T3 refuses a folder that would steer the terminal: %j',
    (name) => {
      for (const platform of ['linux', 'darwin', 'win32'] as const)
        expect(() => resumeCommand(`/w/${name}`, ID, platform)).toThrow('resume.oddFolder');
    },
  );
});

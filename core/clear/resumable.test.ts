/** Which conversations can be gone back to (K9), where, and why not. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { promptRow, replyRow } from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { projectFolderName } from '../claude/transcript/locate.ts';
import { updateMemoryIndex } from '../memory/log/memory-index.ts';
import { message } from '../messages/message.ts';
import { thisProcess } from '../platform/store/owner.ts';
import type { Places } from '../platform/store/places.ts';
import { projectMemory } from '../projects/project-memory.ts';
import { type ClearRecord, writeRecord } from './clear-record.ts';
import { clearedConversations, wayBackTo } from './resumable.ts';

class Scene {
  readonly folder = tempFolder();
  readonly places: Places = { claude: join(this.folder, 'c'), home: join(this.folder, 'c/mk') };
  readonly app = this.project('app');

  project(name: string): string {
    const root = join(this.folder, name);
    mkdirSync(root);
    return root;
  }

  get memory() {
    return projectMemory(this.places, this.app);
  }

  transcript(sessionId: string, cwd: string, request: string): string {
    const path = join(this.places.claude, 'projects', projectFolderName(cwd), `${sessionId}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    const prompt = JSON.stringify({ ...JSON.parse(promptRow(request)), cwd });
    writeFileSync(path, `${prompt}\n${replyRow(1000)}\n`);
    return path;
  }

  cleared(sessionId: string, minute: number, more: Partial<ClearRecord> = {}): void {
    const at = `2026-11-16T14:0${minute}:00.000Z`;
    writeRecord(this.places, {
      sessionId,
      pid: 42,
      processStart: '',
      projectRoot: this.app,
      cwd: this.app,
      percent: 71,
      by: 'threshold',
      owner: thisProcess(),
      state: 'restored',
      steps: [{ state: more.state ?? 'restored', at }],
      newSessionId: `after-${sessionId}`,
      ...more,
    });
  }

  list() {
    return clearedConversations(this.places, [this.memory]);
  }
}

describe('cleared conversations', () => {
  it('K9 are listed newest first: when, how full, and what they were about, without secrets', () => {
    const scene = new Scene();
    const other = scene.project('other');
    const key = `sk-ant-api03-${'Ab3'.repeat(31)}AA`;
    scene.transcript('one', scene.app, 'Draw the logo in teal. Then the favicon.');
    scene.transcript('two', scene.app, `Use ${key} for the upload`);
    scene.cleared('one', 1);
    scene.cleared('two', 2, { percent: undefined });
    scene.cleared('three', 3, { state: 'cancelled' });
    scene.cleared('four', 4, { projectRoot: other });
    const [two, one, ...others] = scene.list();
    expect(others).toEqual([]);
    expect(one).toEqual({
      sessionId: 'one',
      newSessionId: 'after-one',
      pid: 42,
      projectRoot: scene.app,
      clearedAt: '2026-11-16T14:01:00.000Z',
      percent: 71,
      topic: 'Draw the logo in teal.',
      problem: null,
    });
    expect(two).toMatchObject({ sessionId: 'two', percent: null });
    expect(two?.topic).toContain('for the upload');
    expect(two?.topic).not.toContain(key);
    const all = clearedConversations(scene.places, undefined);
    expect(all.map(({ sessionId }) => sessionId)).toEqual(['four', 'two', 'one']);
  });

  it('K9 has the last one that the user cleared by hand, once', () => {
    const scene = new Scene();
    scene.transcript('ours', scene.app, 'Cleared by Memory Keeper');
    scene.transcript('mine', scene.app, 'Cleared by hand');
    scene.cleared('ours', 1);
    updateMemoryIndex(scene.memory, (index) => ({
      ...index,
      cleared: { 7: 'mine', 42: 'ours', 8: 'gone', 9: '../../evil' },
    }));
    expect(scene.list().map(({ sessionId, pid, topic }) => [sessionId, pid, topic])).toEqual([
      ['mine', 7, 'Cleared by hand'],
      ['ours', 42, 'Cleared by Memory Keeper'],
    ]);
  });

  it('K9 are resumed in the folder that Claude Code looks in, also of a worktree or a subfolder', () => {
    const scene = new Scene();
    const inside = scene.project('app/packages');
    scene.transcript('old', inside, 'In a subfolder');
    scene.cleared('old', 1, { cwd: inside });
    const way = {
      sessionId: 'old',
      folder: inside,
      command: `cd ${inside} && claude --resume old`,
    };
    expect(wayBackTo(scene.places, 'old', 'linux')).toEqual(way);
    // As records of earlier versions are, and as it is long after.
    scene.cleared('old', 1, { cwd: undefined });
    expect(wayBackTo(scene.places, 'old', 'linux')).toEqual(way);
    rmSync(join(scene.places.home, 'clears'), { recursive: true });
    expect(wayBackTo(scene.places, 'old', 'linux')).toEqual(way);
  });

  it('K9 say why they cannot be resumed: deleted by Claude Code, or the folder is gone', () => {
    const scene = new Scene();
    const path = scene.transcript('old', scene.app, 'Draw the logo');
    scene.cleared('old', 1);
    rmSync(scene.app, { recursive: true });
    const folderGone = message('resume.folderGone', { folder: scene.app });
    expect(scene.list()).toMatchObject([{ topic: 'Draw the logo', problem: folderGone }]);
    expect(() => wayBackTo(scene.places, 'old')).toThrow('resume.folderGone');
    rmSync(path);
    const gone = message('resume.transcriptGone', { project: scene.app });
    expect(scene.list()).toMatchObject([{ problem: gone }]);
    expect(() => wayBackTo(scene.places, 'old')).toThrow('resume.transcriptGone');
    expect(() => wayBackTo(scene.places, 'never')).toThrow('resume.transcriptGone');
  });
});

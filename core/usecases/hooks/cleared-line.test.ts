/** What a session shows after a clear (K9): once, in the user's language, with true figures. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { type ClearRecord, writeRecord } from '../../clear/clear-record.ts';
import { readBriefing } from '../../memory/restore/briefing-file.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { thisProcess } from '../../platform/store/owner.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { parseHookInput } from './hook-input.ts';
import { saveTurn } from './save-turn.ts';
import { briefingPage, briefSession } from './session-briefing.ts';
import { tidyProject } from './tidy.ts';

const OLD = '11111111-2222-4333-8444-555555555555';
const PID = '4242';

class Scene {
  readonly folder = tempFolder();
  readonly env: NodeJS.ProcessEnv;

  constructor(language = 'en') {
    mkdirSync(join(this.folder, 'app'));
    this.env = {
      HOME: this.folder,
      CLAUDE_PROJECT_DIR: join(this.folder, 'app'),
      CLAUDE_PID: PID,
      MEMORY_KEEPER_PARENT: PID,
      MEMORY_KEEPER_LANG: language,
    };
  }

  get places() {
    return placesFrom(this.env);
  }

  input(session: string, fields: object) {
    const transcript_path = join(this.folder, `${session}.jsonl`);
    return parseHookInput(
      JSON.stringify({ session_id: session, transcript_path, ...fields }),
      this.env,
    );
  }

  /** Something was said in the old session, and `/clear` ended it. */
  async cleared(): Promise<void> {
    const rows = [promptRow('Which colour has the logo?'), replyRow(142_000, { text: 'Teal.' })];
    await this.ended(OLD, rows);
  }

  async ended(session: string, rows: string[]): Promise<void> {
    writeFileAtomic(join(this.folder, `${session}.jsonl`), `${rows.join('\n')}\n`);
    await saveTurn(this.input(session, { hook_event_name: 'SessionEnd', reason: 'clear' }));
  }

  record(more: Partial<ClearRecord>): void {
    writeRecord(this.places, {
      sessionId: OLD,
      pid: Number(PID),
      processStart: '',
      projectRoot: join(this.folder, 'app'),
      by: 'threshold',
      owner: thisProcess(),
      state: 'delivering',
      steps: [],
      percent: 71,
      ...more,
    });
  }

  async said(session = 'next', source = 'clear'): Promise<string | undefined> {
    const input = this.input(session, { hook_event_name: 'SessionStart', source });
    return (await briefSession(input))?.systemMessage;
  }

  given(session = 'next'): string {
    return (readBriefing(this.places, session)?.length ?? 0).toLocaleString('en');
  }
}

describe('the line after a clear', () => {
  it('K9 says how full it was, that it is saved, how much came back, and how to go back', async () => {
    const scene = new Scene();
    await scene.cleared();
    scene.record({});
    const said = await scene.said();
    expect(Number(scene.given().replace(',', ''))).toBeGreaterThan(100);
    expect(said).toBe(
      `[MEMORY KEEPER] Cleared at 71 % · conversation saved · ${scene.given()}-character briefing restored. To go back: claude --resume ${OLD}`,
    );
  });

  it('K9 G6 says it in Korean', async () => {
    const scene = new Scene('ko');
    await scene.cleared();
    scene.record({ state: 'verifying' });
    expect(await scene.said()).toBe(
      `[MEMORY KEEPER] 컨텍스트 71%에서 비움 · 대화 저장됨 · 브리핑 ${scene.given()}자 복원됨. 이전 대화로 돌아가려면: claude --resume ${OLD}`,
    );
  });

  it('K9 after a /clear that the user typed it knows no percentage, and says the rest', async () => {
    const scene = new Scene();
    await scene.cleared();
    const words = `Cleared · conversation saved · `;
    expect(await scene.said()).toContain(`${words}${scene.given()}-character briefing restored.`);
    // One that was called off, and one that began another session, are not this clear.
    for (const record of [{ state: 'cancelled' }, { state: 'restored', newSessionId: 'other' }]) {
      scene.record(record as Partial<ClearRecord>);
      expect(await scene.said()).toContain(words);
    }
  });

  it('K9 M13 after a second /clear before anything was said, the same conversation comes back', async () => {
    const scene = new Scene();
    await scene.cleared();
    scene.record({ state: 'restored', newSessionId: 'next' });
    expect(await scene.said('next')).toContain('Cleared at 71 % ');
    await scene.ended('next', [JSON.stringify({ type: 'mode', mode: 'normal' })]);
    const said = await scene.said('third');
    expect(said).toContain(`] Cleared · conversation saved · ${scene.given('third')}-character`);
    expect(said).toContain(`claude --resume ${OLD}`);
    expect(scene.given('third')).toBe(scene.given('next'));
    // Another Claude Code, which happens to get the same number.
    await tidyProject(
      scene.input('fourth', { hook_event_name: 'SessionStart', source: 'startup' }),
    );
    await scene.ended('fourth', [JSON.stringify({ type: 'mode', mode: 'normal' })]);
    expect(await scene.said('fifth')).toBeUndefined();
  });

  it('K9 a broken record costs the line its percentage, nothing else', async () => {
    const scene = new Scene();
    await scene.cleared();
    for (const text of [
      '',
      '[]',
      '{"record": 7}',
      '{"record": {"state": "restored", "percent": "x"}}',
    ]) {
      writeFileAtomic(join(scene.places.home, 'clears', `${OLD}.json`), text);
      expect(await scene.said()).toContain('] Cleared · conversation saved · ');
    }
  });

  it('K9 stands there once: not on other pages, not at another start, not where nothing came back', async () => {
    const scene = new Scene();
    expect(await scene.said()).toBeUndefined();
    await scene.cleared();
    const start = { hook_event_name: 'SessionStart', source: 'clear' };
    const second = await briefingPage(scene.input('next', start), 2);
    expect(second?.systemMessage).toBeUndefined();
    for (const source of ['startup', 'resume', 'compact'])
      expect(await scene.said('next', source)).toBeUndefined();
  });
});

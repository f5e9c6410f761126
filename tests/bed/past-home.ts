/**
 * A home with conversations from before Memory Keeper: transcripts as Claude Code leaves them, in
 * folders named after their directories, with their own days, names and kinds.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolderName } from '../../core/claude/transcript/locate.ts';
import { readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { type Places, placesFrom } from '../../core/platform/store/places.ts';
import { findProjectMemory, type ProjectMemory } from '../../core/projects/project-memory.ts';
import type { System } from '../../core/usecases/memory/memory-context.ts';
import { tempFolder } from './temp-folder.ts';

export interface PastTalk {
  /** `2026-09-01`; it begins at 10:00 UTC. */
  day: string;
  /** The directory of its rows; the project's folder unless given. */
  cwd?: string;
  asked?: string[];
  answered?: string;
  edited?: string;
  /** Further rows, as they are. */
  rows?: object[];
  /** Fields of each row. */
  fields?: object;
}

const MINUTE_MS = 60_000;

export class PastHome {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly places: Places;
  readonly app: string;
  #talks = 0;

  constructor(folder = tempFolder()) {
    this.folder = folder;
    this.env = { HOME: folder };
    this.places = placesFrom(this.env);
    this.app = this.makeFolder('app');
  }

  get system(): System {
    return { places: this.places, env: this.env } as System;
  }

  makeFolder(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  memory(root = this.app): ProjectMemory {
    const memory = findProjectMemory(this.places, root);
    if (memory === undefined) throw new Error(`${root} has no memory`);
    return memory;
  }

  sessions(root = this.app) {
    return readMemoryIndex(this.memory(root)).sessions;
  }

  /** Returns the path of the transcript. */
  talk(id: string, talk: PastTalk): string {
    const { cwd = this.app } = talk;
    const path = this.transcriptPath(id, cwd);
    writeFileSync(path, `${this.#rows(id, talk, cwd).join('\n')}\n`);
    return path;
  }

  transcriptPath(id: string, cwd = this.app): string {
    const folder = join(this.places.claude, 'projects', projectFolderName(cwd));
    mkdirSync(folder, { recursive: true });
    return join(folder, `${id}.jsonl`);
  }

  #rows(id: string, talk: PastTalk, cwd: string): string[] {
    const { day, asked = [`Please look at ${id} today.`], answered, edited, rows = [] } = talk;
    const nth = String(++this.#talks).padStart(4, '0');
    const began = Date.parse(`${day}T10:00:00Z`);
    let count = 0;
    const row = (fields: object) =>
      JSON.stringify({
        cwd,
        sessionId: id,
        ...talk.fields,
        ...fields,
        uuid: `${nth}${String(++count).padStart(4, '0')}-1111-4111-8111-111111111111`,
        timestamp: new Date(began + (count - 1) * MINUTE_MS).toISOString(),
      });
    const said = (content: unknown) => row({ type: 'user', message: { role: 'user', content } });
    const replied = (block: object) =>
      row({ type: 'assistant', message: { id: `m${count}`, role: 'assistant', content: [block] } });
    const edit = { type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: edited } };
    const result = [{ type: 'tool_result', tool_use_id: 't1', content: 'The file was updated.' }];
    return [
      ...asked.map(said),
      ...(edited === undefined ? [] : [replied(edit), said(result)]),
      replied({ type: 'text', text: answered ?? `All about ${id} is done.` }),
      ...rows.map((each) => JSON.stringify(each)),
    ];
  }
}

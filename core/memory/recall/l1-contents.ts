/** Keeps the L1 files that prompts were last reminded of, so that the next one need not read them. */
import { join } from 'node:path';
import { fileMark, NO_FILE } from '../../platform/store/file-mark.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readL1Content } from '../log/l1-store.ts';

const MAX_BYTES = 24 * 1024 * 1024;

export class L1Contents {
  readonly #memory: ProjectMemory;
  /** The least recently used first. */
  readonly #files = new Map<string, { mark: string; content: Buffer }>();
  #bytes = 0;

  constructor(memory: ProjectMemory) {
    this.#memory = memory;
  }

  /** As it is on disk now; undefined if it is gone. */
  get(file: string): Buffer | undefined {
    const path = join(this.#memory.sessions, file);
    const plain = fileMark(path);
    const mark = plain === NO_FILE ? fileMark(`${path}.gz`) : plain;
    const known = this.#files.get(file);
    const isCurrent = known !== undefined && known.mark === mark;
    const content = isCurrent ? known.content : readL1Content(this.#memory, file);
    this.#remove(file);
    if (content !== undefined) this.#add(file, mark, content);
    return content;
  }

  #add(file: string, mark: string, content: Buffer): void {
    this.#files.set(file, { mark, content });
    this.#bytes += content.length;
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#remove(oldest);
    }
  }

  #remove(file: string): void {
    this.#bytes -= this.#files.get(file)?.content.length ?? 0;
    this.#files.delete(file);
  }
}

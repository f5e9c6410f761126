import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tempFolder } from '../tests/bed/temp-folder.ts';
import { Updates } from './updates.ts';

const DAY_MS = 24 * 60 * 60_000;
const SOON_MS = 60_000;

/** What is asked of the library, and of the user. */
class Scene {
  readonly feedFile = join(tempFolder(), 'app-update.yml');
  readonly done: string[] = [];
  newest = '0.2.0';
  answer = false;
  failure: Error | undefined;
  readonly updates = new Updates({
    feedFile: this.feedFile,
    load: async () => {
      this.done.push('loaded');
      return {
        autoDownload: true,
        logger: console,
        checkForUpdates: async () => {
          this.done.push('looked');
          if (this.failure !== undefined) throw this.failure;
          return {
            isUpdateAvailable: this.newest !== '0.1.0',
            updateInfo: { version: this.newest },
          };
        },
        downloadUpdate: async () => void this.done.push('fetched'),
      };
    },
    ask: async (version) => {
      this.done.push(`asked about ${version}`);
      return this.answer;
    },
    report: (error) => void this.done.push(`told: ${(error as Error).message}`),
  });

  /** As a package that was made with an address. */
  withFeed(): this {
    writeFileSync(this.feedFile, 'provider: generic\nurl: https://updates.example.com\n');
    return this;
  }

  async after(ms: number): Promise<string[]> {
    await vi.advanceTimersByTimeAsync(ms);
    return this.done.splice(0);
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('updates', () => {
  it('G7 nothing is loaded and nobody is asked where the package names no address', async () => {
    const scene = new Scene();
    scene.updates.follow(true);
    expect(await scene.after(3 * DAY_MS)).toEqual([]);
  });

  it('G7 nothing is loaded where the user does not wish it, and no longer looked for when that changes', async () => {
    const scene = new Scene().withFeed();
    scene.updates.follow(false);
    expect(await scene.after(3 * DAY_MS)).toEqual([]);
    scene.newest = '0.1.0';
    scene.updates.follow(true);
    scene.updates.follow(true); // another setting was changed
    expect(await scene.after(DAY_MS + SOON_MS)).toEqual(['loaded', 'looked', 'loaded', 'looked']);
    scene.updates.follow(false);
    expect(await scene.after(3 * DAY_MS)).toEqual([]);
  });

  it('G7 what is newer is told once, and fetched only after a yes', async () => {
    const scene = new Scene().withFeed();
    scene.updates.follow(true);
    expect(await scene.after(SOON_MS)).toEqual(['loaded', 'looked', 'asked about 0.2.0']);
    expect(await scene.after(DAY_MS)).toEqual(['loaded', 'looked']);
    scene.newest = '0.3.0';
    scene.answer = true;
    expect(await scene.after(DAY_MS)).toEqual(['loaded', 'looked', 'asked about 0.3.0', 'fetched']);
  });

  it('G7 an address that does not answer harms nothing, and is asked again the next day', async () => {
    const scene = new Scene().withFeed();
    scene.failure = new Error('no way there');
    scene.updates.follow(true);
    expect(await scene.after(DAY_MS + SOON_MS)).toEqual([
      'loaded',
      'looked',
      'told: no way there',
      'loaded',
      'looked',
      'told: no way there',
    ]);
  });
});

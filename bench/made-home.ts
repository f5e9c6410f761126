/**
 * A home folder with live sessions in it that need no Claude Code, each in a project of its own,
 * and the environment to find it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MadeSession } from '../tests/bed/made-session.ts';
import type { Scene } from './scene.ts';
import { turns } from './transcript-file.ts';

const TRANSCRIPT_BYTES = 256 * 1024;

export interface MadeHome {
  env: NodeJS.ProcessEnv;
  sessions: MadeSession[];
}

export function madeHome(scene: Scene, count: number): MadeHome {
  const home = scene.folder();
  const claudeFolder = join(home, '.claude');
  mkdirSync(join(claudeFolder, 'sessions'), { recursive: true });
  const rows = turns(TRANSCRIPT_BYTES).trimEnd();
  const sessions = Array.from({ length: count }, (_, index) => {
    const project = join(home, `project-${index}`);
    mkdirSync(project);
    scene.assertOn();
    const session = new MadeSession(claudeFolder, project);
    scene.child(() => session.process);
    session.append(rows);
    return session;
  });
  return { env: { PATH: process.env.PATH, HOME: home }, sessions };
}

/**
 * Archives over the browser host by plain HTTP (M20, G3): sent with the token alone, given once by
 * an id, and never by a path.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startBrowserHost } from '../../cli/serve/browser-host.ts';
import { WindowFiles } from '../../cli/serve/window-files.ts';
import type { CallResult } from '../../core/usecases/contract.ts';
import { createEngine } from '../../core/usecases/engine.ts';
import type { ChosenFile } from '../../core/usecases/live/chosen-files.ts';
import { MadeMemory } from '../bed/made-memory.ts';
import { ServeClient } from '../bed/serve-client.ts';

async function served() {
  const made = new MadeMemory();
  made.decide('s1', 'Prices are kept in cents.');
  const env = {
    HOME: made.root,
    PATH: '/none',
    CLAUDE_CONFIG_DIR: made.places.claude,
    MEMORY_KEEPER_HOME: made.places.home,
  };
  const live = await createEngine({ env }).open();
  const host = await startBrowserHost(live, new WindowFiles(made.root));
  onTestFinished(async () => {
    await host.close();
    await live.close();
  });
  return { client: new ServeClient(host.address), live, project: made.root };
}

async function exported(client: ServeClient, project: string): Promise<ChosenFile> {
  const file = await client.call('archive.target', { project });
  await client.call('archive.export', { project, target: file.id });
  return file;
}

it('M20 an export is given once, as a file of its name; then its id leads nowhere', async () => {
  const { client, project } = await served();
  const { id, name } = await exported(client, project);
  const got = await client.raw(`/download/${id}`);
  expect(got).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/zip', 'cache-control': 'no-store' },
  });
  expect(got.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''${name}`);
  expect(got.text.startsWith('PK')).toBe(true);
  expect((await client.raw(`/download/${id}`)).status).toBe(404);
});

it('G3 M20 a page of another site gets no download, and neither does a made-up id or a path', async () => {
  const { client, live, project } = await served();
  const { id } = await exported(client, project);
  const foreign = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  expect((await client.raw(`/download/${id}`, { headers: foreign })).status).toBe(403);
  expect((await client.raw(`/download/${id}`, { headers: { host: 'evil.example' } })).status).toBe(
    403,
  );
  expect((await client.raw(`/download/${id}`, { method: 'POST' })).status).toBe(405);
  const path = join(project, 'mine.txt');
  writeFileSync(path, 'mine');
  const chosen = live.files.offer(path, 'source').id;
  for (const other of [chosen, encodeURIComponent(path), '../api/app.about', ''])
    expect((await client.raw(`/download/${other}`)).status).toBe(404);
  expect((await client.raw(`/download/${id}`)).status).toBe(200); // none of them has used it up
});

it('G3 M20 an upload needs the token, becomes an id, and what it is comes to light in the preview', async () => {
  const { client, project } = await served();
  const headers = {
    'X-File-Name': encodeURIComponent('백업.zip'),
    'Content-Type': 'application/octet-stream',
  };
  const upload = { method: 'POST', body: Buffer.from('no archive') };
  expect((await client.raw('/api/upload', { ...upload, headers })).status).toBe(401);
  const told = await client.raw('/api/upload', {
    ...upload,
    headers: { ...headers, Authorization: `Bearer ${client.token}` },
  });
  const answer = JSON.parse(told.text) as CallResult<ChosenFile>;
  expect(answer).toMatchObject({ ok: true, value: { name: '백업.zip' } });
  const source = answer.ok ? answer.value.id : '';
  expect(
    await client.answer('archive.preview', { project, source, isReplacing: false }),
  ).toMatchObject({
    ok: false,
    message: {
      code: 'archive.refused',
      values: { file: '백업.zip', reason: { code: 'archive.damaged' } },
    },
  });
});

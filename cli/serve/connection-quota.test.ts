import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ConnectionQuota } from './connection-quota.ts';

it('G3 300 connections that say nothing do not lock the user out, and end nothing that has the token', async () => {
  const server = createServer();
  const quota = new ConnectionQuota(server, 16);
  server.maxConnections = 32;
  server.on('request', (request, response) => {
    if (request.url === '/trusted') quota.trust(request.socket);
    if (request.url !== '/trusted') response.end('page');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<ReturnType<typeof connect>>();
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined); // the server may end it at any time
    sockets.add(socket);
    await once(socket, 'connect');
    return socket;
  };
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const trusted = await open();
  trusted.write('GET /trusted HTTP/1.1\r\nHost: x\r\n\r\n');
  for (let n = 0; n < 300; n++) await open();
  const page = await fetch(`http://127.0.0.1:${port}/`);
  expect(await page.text()).toBe('page');
  expect(trusted.closed).toBe(false);
});

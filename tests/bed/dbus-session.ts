/** A session bus of its own, as a desktop has one: nothing on it but what a test puts there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createClient, type MessageBus } from 'dbus-native';

export class DbusSession {
  readonly address: string;
  readonly bus: MessageBus;
  readonly #daemon: ChildProcess;

  static async start(): Promise<DbusSession> {
    const args = ['--session', '--nofork', '--nopidfile', '--print-address=3'];
    const daemon = spawn('dbus-daemon', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const pipe = daemon.stdio[3] as NodeJS.ReadableStream;
    const address = await new Promise<string>((resolve) =>
      createInterface({ input: pipe }).once('line', resolve),
    );
    return new DbusSession(address, daemon);
  }

  private constructor(address: string, daemon: ChildProcess) {
    this.address = address;
    this.#daemon = daemon;
    this.bus = createClient({ busAddress: address });
  }

  async stop(): Promise<void> {
    await this.bus.close();
    this.#daemon.kill();
  }
}

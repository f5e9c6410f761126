/**
 * Events for one browser, one JSON line each, for as long as it listens. A browser that reads
 * slowly gets the newest state and the last activities when it reads again; what waits for it never
 * grows.
 */
import type { ServerResponse } from 'node:http';
import type { EngineEvent } from '../../core/usecases/contract.ts';

/** An empty line: tells both sides that the other is there. */
const SIGN_OF_LIFE_MS = 15_000;
const MAX_WAITING_ACTIVITIES = 100;

export class EventStream {
  readonly #response: ServerResponse;
  readonly #timer: NodeJS.Timeout;
  /** What is to be told next, of each thing only the newest. */
  readonly #waiting = new Map<string, EngineEvent>();
  #activities: EngineEvent[] = [];
  #isFull = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('drain', () => {
      this.#isFull = false;
      this.#flush();
    });
    this.#timer = setInterval(() => {
      if (!this.#isFull) this.#write('\n');
    }, SIGN_OF_LIFE_MS);
  }

  send(event: EngineEvent): void {
    if (event.name === 'activity')
      this.#activities = [...this.#activities, event].slice(-MAX_WAITING_ACTIVITIES);
    else this.#waiting.set(subjectOf(event), event);
    this.#flush();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#waiting.clear();
    this.#activities = [];
    this.#response.end();
  }

  #flush(): void {
    while (!this.#isFull) {
      const [next] = this.#waiting;
      const event = next?.[1] ?? this.#activities[0];
      if (event === undefined) return;
      if (next === undefined) this.#activities = this.#activities.slice(1);
      else this.#waiting.delete(next[0]);
      this.#write(`${JSON.stringify(event)}\n`);
    }
  }

  #write(text: string): void {
    this.#isFull = !this.#response.write(text);
  }
}

/** A later event about the same replaces an earlier one. */
function subjectOf(event: EngineEvent): string {
  if (event.name === 'memory' || event.name === 'settings')
    return `${event.name} ${event.value.project}`;
  if (event.name === 'work') return `work ${event.value.project} ${event.value.what}`;
  return event.name;
}

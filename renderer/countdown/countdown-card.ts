/**
 * One clear that is near, drawn: what will happen, the time left, and the buttons. All of it is set
 * as text, never as markup.
 */
import { type CountdownLine, shareLeft } from './countdown-lines.ts';
import { actText, say, timeText, whatHappens } from './countdown-texts.ts';

export type ClearRequest = 'cancel' | 'snooze' | 'now';

export interface Card {
  element: HTMLElement;
  /** Brings the time up to date. */
  tick(now: number): void;
  tell(message: string): void;
}

export function makeCard(line: CountdownLine, onRequest: (request: ClearRequest) => void): Card {
  const title = element('h1', 'title');
  const time = element('span', 'time');
  time.setAttribute('role', 'timer');
  title.append(element('span', 'project', line.name), ' ', time);
  const what = element('p', 'what quiet', whatHappens(line));
  const bar = element('div', 'bar');
  bar.setAttribute('aria-hidden', 'true');
  const left = bar.appendChild(element('div', 'left'));
  const isAsked = line.ends === null;
  const buttons = element('div', 'buttons');
  buttons.append(
    button(line, say(isAsked ? 'no' : 'cancel'), '', () => onRequest('cancel')),
    button(line, say('snooze'), '', () => onRequest('snooze')),
    button(line, actText(line), isAsked ? ' button-primary' : '', () => onRequest('now')),
  );
  const card = element('section', 'card');
  card.setAttribute('aria-label', line.name);
  card.append(title, what, bar, buttons);
  bar.hidden = isAsked;
  return {
    element: card,
    tick(now) {
      const text = timeText(line, now);
      if (time.textContent !== text) time.textContent = text;
      left.style.transform = `scaleX(${shareLeft(line, now)})`;
    },
    tell(message) {
      what.textContent = message;
      what.classList.add('failed');
    },
  };
}

function button(
  { name }: CountdownLine,
  label: string,
  kind: string,
  onClick: () => void,
): HTMLButtonElement {
  const made = element('button', `button${kind}`, label);
  made.type = 'button';
  made.setAttribute('aria-label', say('countdownOf', { what: label, project: name }));
  made.addEventListener('click', onClick);
  return made;
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** `memory where` and `memory link`. */
import { UsageError } from '../../command.ts';
import { counted, plain } from '../../text.ts';
import type { Action } from './action.ts';

const WHY = {
  moved: 'the very same folder, moved from',
  replaced: 'was at this path:',
  name: 'has the same name; was at',
};

export const whereAction: Action = {
  name: 'where',
  usage: [['where', 'show where the memory of this project is, and memories it may be linked to']],
  takesWords: false,
  options: [],
  async run({ engine, project }) {
    const found = await engine.call('place.where', { project });
    const { place, offers } = found;
    const lines =
      place === null
        ? [`No memory has been saved for ${plain(project)} yet.`]
        : [
            `Project: ${plain(place.root)}`,
            `Memory:  ${plain(place.folder)}`,
            `ID:      ${place.id}`,
          ];
    if (offers.length > 0) lines.push('', 'These memories have lost their project:');
    for (const { id, name, formerRoot, why, sessions } of offers)
      lines.push(
        `  ${plain(name)} (${counted(sessions, 'session')}; ${WHY[why]} ${plain(formerRoot)})`,
        `    If it is this project's: memory-keeper memory link ${id}`,
      );
    return { data: found, text: `${lines.join('\n')}\n` };
  },
};

export const linkAction: Action = {
  name: 'link',
  usage: [
    [
      'link <project>',
      'give this project the memory of one that was moved, renamed or cloned anew (its name, ID or former folder)',
    ],
  ],
  takesWords: true,
  options: [],
  async run({ engine, project }, words) {
    const name = words.join(' ');
    if (name === '') throw new UsageError('Which memory? Name it', 'memory-keeper memory where');
    const place = await engine.call('place.link', { project, name });
    return {
      data: place,
      text: `${plain(place.root)} now has the memory in ${plain(place.base)}.\n`,
    };
  },
};

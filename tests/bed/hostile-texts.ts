/**
 * Texts that try to be more than text, in a project's memory: scripts, handlers, links that run,
 * huge lines, control characters.
 */
import { claude, type Story, user } from './demo/story.ts';

const CONTROL = '\u0000\u0007\u001b[31m\u202e\u2066\ufeff';
/** Sets a flag that a test looks for. */
const RUN = 'window.hostile=1';

export const HOSTILE_FACT = `hostile <script>${RUN}</script><img src=x onerror="${RUN}"> [click](javascript:${RUN}) ${CONTROL}`;

export const HOSTILE_MEMORY = [
  `# hostile <script>${RUN}</script>`,
  '',
  `<img src="http://198.51.100.7/pixel.png" onerror="${RUN}">`,
  '![picture](http://198.51.100.7/picture.png)',
  `[click](javascript:${RUN}) [data](data:text/html,<script>${RUN}</script>) [vb](vbscript:x)`,
  `<iframe src="javascript:${RUN}"></iframe><svg onload="${RUN}"></svg><a href="JaVaScRiPt:${RUN}">x</a>`,
  `<style>@import url(http://198.51.100.7/style.css);</style><base href="http://198.51.100.7/">`,
  `<form action="http://198.51.100.7/"><button autofocus onfocus="${RUN}">x</button></form>`,
  CONTROL,
  `${'x'.repeat(1_000_000)}`,
  '[[['.repeat(2000),
  '> '.repeat(500),
  '',
].join('\n');

export const HOSTILE_PROJECT: Story = {
  name: 'hostile',
  sections: { [`Known <script>${RUN}</script>`]: HOSTILE_FACT },
  sessions: [
    {
      daysAgo: 3,
      at: '10:00',
      lines: [
        user(`${HOSTILE_FACT} is what they typed here.`, {
          kind: 'decision',
          content: HOSTILE_FACT,
          keywords: [`<img src=x onerror="${RUN}">`, `javascript:${RUN}`],
        }),
        claude(`I keep the hostile words: ${HOSTILE_FACT} ${'y'.repeat(200_000)}`),
      ],
      summary: `Somebody typed hostile things here: <script>${RUN}</script>.`,
    },
  ],
};

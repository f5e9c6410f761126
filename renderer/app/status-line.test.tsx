import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Bridge } from '../bridge/bridge.ts';
import { setLanguage } from '../locale/locale.ts';
import { createAppStore } from '../store/app-store.ts';
import { AppContext } from '../store/use-app.ts';
import { StatusLine } from './status-line.tsx';

it('G6 what is going on is read out in the user’s language', () => {
  const bridge = {} as Bridge;
  const memo = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  const store = createAppStore(bridge, memo, 'ko');
  const work = [{ project: '/app', what: 'rebuild', done: 1, total: 2, isOver: false }];
  // a page that is made as text shows the first state
  Object.assign(store.getInitialState(), { work });
  const page = renderToStaticMarkup(
    <AppContext value={{ store, bridge }}>
      <StatusLine />
    </AppContext>,
  );
  setLanguage('en');
  expect(page).toContain('aria-label="다시 만드는 중…"');
});

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { message } from '../../../../core/usecases/messages.ts';
import { type Bridge, BridgeError } from '../../../bridge/bridge.ts';
import { createAppStore } from '../../../store/app-store.ts';
import { AppContext } from '../../../store/use-app.ts';
import { factFields } from './item-fields.ts';
import { useMemoryStore } from './memory-store.ts';
import { MissingItem } from './missing-item.tsx';

function shown(forms: object): string {
  // a page that is made as text shows the first state
  Object.assign(useMemoryStore.getInitialState(), { forms });
  const bridge = {} as Bridge;
  const store = createAppStore(
    bridge,
    { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
    'en',
  );
  return renderToStaticMarkup(
    <AppContext value={{ store, bridge }}>
      <MissingItem
        project="/p"
        id="d001"
        error={new BridgeError(message('edit.noFact', { id: 'd001' }), false)}
        fields={factFields('issues')}
        save={async () => undefined}
        reload={() => undefined}
      />
    </AppContext>,
  );
}

it('M19 what was typed for a fact that is gone can still be read and discarded', () => {
  const initial = { content: 'a', reason: '' };
  const page = shown({
    '/p\nd001': { values: { ...initial, content: 'words of mine' }, initial, version: 'v1' },
  });
  expect(page).toContain('There is no fact d001');
  expect(page).toMatch(/<textarea[^>]*name="content"[^>]*>words of mine</);
  expect(page).toContain('>Discard<');
  expect(page).not.toContain('name="status"');
});

it('M19 a fact that is gone and has no draft says only that', () => {
  expect(shown({})).not.toContain('<form');
});

/** Counts up in a JSON file, many times. Run in several processes at once by lock.test.ts. */
import * as v from 'valibot';
import { type DocumentKind, updateDocument } from '../../core/platform/store/document.ts';

const counterFile: DocumentKind<{ count: number }> = {
  version: 1,
  schema: v.looseObject({ count: v.number() }),
  empty: () => ({ count: 0 }),
};

const [, , path = '', times] = process.argv;
for (let i = 0; i < Number(times); i++)
  updateDocument(path, counterFile, ({ count }) => ({ count: count + 1 }), { timeoutMs: 100_000 });

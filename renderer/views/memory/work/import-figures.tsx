/**
 * What an import brings, or has brought (M20): the counts before and after, and what a person
 * should know.
 */
import type { ImportResult } from '../../../../core/memory/portable/import-memory.ts';
import { number, t } from '../../../locale/locale.ts';
import { messageText } from '../../../locale/message-text.ts';
import { visibleLine } from '../text/visible-text.ts';

const COUNTS = ['sessions', 'entries', 'facts', 'concepts', 'files'] as const;
const MOST_NOTES = 50;
const LONGEST_NOTE = 500;

export function ImportFigures({
  imported: { before, after, notes, isPreview },
}: {
  imported: ImportResult;
}) {
  return (
    <>
      <table className="import-figures">
        <thead>
          <tr>
            <td />
            <th scope="col">{t(isPreview ? 'memory.importBefore' : 'memory.importWas')}</th>
            <th scope="col">{t(isPreview ? 'memory.importAfter' : 'memory.importIs')}</th>
          </tr>
        </thead>
        <tbody>
          {COUNTS.map((count) => (
            <tr key={count}>
              <th scope="row">{t(`memory.importCount_${count}`)}</th>
              <td>{number(before[count])}</td>
              <td>
                {after[count] === before[count] ? (
                  number(after[count])
                ) : (
                  <strong>{number(after[count])}</strong>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {notes.length > 0 && (
        <section aria-labelledby="import-notes">
          <h3 id="import-notes">{t('memory.importNotes')}</h3>
          <ul className="import-notes">
            {notes
              .slice(0, MOST_NOTES)
              .map(messageText)
              .map((note) => (
                <li key={note}>{visibleLine(note, LONGEST_NOTE)}</li>
              ))}
            {notes.length > MOST_NOTES && (
              <li>{t('memory.importMore', { count: notes.length - MOST_NOTES })}</li>
            )}
          </ul>
        </section>
      )}
    </>
  );
}

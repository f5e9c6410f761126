/**
 * Before and after as one text (M19): what is gone is struck through, what is new is underlined,
 * and a reader that speaks hears which is which.
 */
import { t } from '../../../locale/locale.ts';
import { ShownText } from './shown-text.tsx';
import { smallDiff } from './small-diff.ts';

const TAGS = { same: 'span', gone: 'del', new: 'ins' } as const;

export function DiffText({ before, after }: { before: string; after: string }) {
  return (
    <div className="diff-text" dir="auto">
      {smallDiff(before, after).map((piece, index) => {
        const Tag = TAGS[piece.kind];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one difference never move
          <Tag key={index}>
            {piece.kind !== 'same' && (
              <span className="visually-hidden">{t(`memory.diff_${piece.kind}`)} </span>
            )}
            <ShownText text={piece.text} />
          </Tag>
        );
      })}
    </div>
  );
}

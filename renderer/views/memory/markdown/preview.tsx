/**
 * memory.md as it reads (G2). It is others' text: raw HTML stays text, pictures are named and never
 * loaded, links that could do more than open a page stay text, and the others ask first. Blocks are
 * drawn when they come into view, so that a long file costs no more than a short one.
 */
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { t } from '../../../locale/locale.ts';
import { safeLink } from '../text/safe-link.ts';
import { ShownText } from '../text/shown-text.tsx';
import { visibleText } from '../text/visible-text.ts';
import { type PreviewBlock, placeOf, previewBlocks } from './preview-blocks.ts';

interface PreviewProps {
  text: string;
  onLink: (url: string) => void;
  /** A line (from 1) whose block is to be brought into view. */
  line?: number | undefined;
  /** The line at the top of the editor, which is followed; 3.5 is the middle of the third. */
  top?: number | undefined;
}

/** A little before it is seen. */
const NEAR = '400px';
/** As much of a text that is shown as it is. */
const LONGEST_PLAIN = 40_000;
const PLUGINS = [remarkGfm];

export function Preview({ text, onLink, line, top }: PreviewProps) {
  const blocks = useMemo(() => previewBlocks(text), [text]);
  const ask = useRef(onLink);
  ask.current = onLink;
  const components = useMemo(() => componentsFor((url) => ask.current(url)), []);
  const host = useRef<HTMLElement>(null);
  const wanted =
    line === undefined ? undefined : blocks.findLast((block) => block.line <= line)?.line;
  useEffect(() => {
    if (wanted !== undefined)
      host.current?.querySelector(`[data-line="${wanted}"]`)?.scrollIntoView({ block: 'start' });
  }, [wanted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the editor's scrolling, not its typing
  useEffect(() => {
    if (top !== undefined && host.current !== null) follow(host.current, placeOf(blocks, top));
  }, [top]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="preview" aria-label={t('memory.preview')} ref={host} tabIndex={0}>
      {blocks.length === 0 && <p className="quiet">{t('memory.previewEmpty')}</p>}
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is what stands at this place
        <Block key={index} {...block} components={components} />
      ))}
    </section>
  );
}

function follow(host: HTMLElement, { index, share }: { index: number; share: number }): void {
  const block = host.children[index];
  if (block === undefined) return;
  const { top, height } = block.getBoundingClientRect();
  host.scrollTop += top + share * height - host.getBoundingClientRect().top;
}

const Block = memo(function Block({
  text,
  line,
  isPlain,
  components,
}: PreviewBlock & { components: Components }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (seen) => seen.some((entry) => entry.isIntersecting) && setNear(true),
      {
        rootMargin: NEAR,
      },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return (
    <div className="preview-block" dir="auto" ref={place} data-line={line}>
      {isNear && !isPlain ? (
        <Formatted text={text} components={components} />
      ) : (
        <ShownText as="pre" text={shortened(text)} />
      )}
    </div>
  );
});

/** The editor beside it shows all of it. */
function shortened(text: string): string {
  if (text.length <= LONGEST_PLAIN) return text;
  return `${text.slice(0, LONGEST_PLAIN)}\n${t('memory.restInSource', { count: text.length - LONGEST_PLAIN })}`;
}

const Formatted = memo(function Formatted({
  text,
  components,
}: {
  text: string;
  components: Components;
}) {
  return (
    <Markdown remarkPlugins={PLUGINS} components={components} urlTransform={(url) => url}>
      {visibleText(text)}
    </Markdown>
  );
});

function componentsFor(ask: (url: string) => void): Components {
  return {
    a: ({ href, children }) => <LinkText href={href} ask={ask} words={children} />,
    img: ({ src, alt }) => (
      <span className="preview-image">
        {t('memory.image', { alt: alt ?? '' })} {typeof src === 'string' && <code>{src}</code>}
      </span>
    ),
    input: ({ checked }) => <span>{checked === true ? '☑' : '☐'} </span>,
    // The page has a title of its own above.
    h1: ({ children }) => <h2 className="preview-h1">{children}</h2>,
    h2: ({ children }) => <h3 className="preview-h2">{children}</h3>,
    h3: ({ children }) => <h4 className="preview-h3">{children}</h4>,
    h4: ({ children }) => <h5 className="preview-h3">{children}</h5>,
    h5: ({ children }) => <h6 className="preview-h3">{children}</h6>,
  };
}

function LinkText({
  href,
  words,
  ask,
}: {
  href: string | undefined;
  words: ReactNode;
  ask: (url: string) => void;
}) {
  const url = safeLink(href);
  if (url === undefined)
    return (
      <span className="preview-no-link">
        {words} {href !== undefined && <code>{visibleText(href)}</code>}
      </span>
    );
  // No address in the page: whatever way it is clicked, it asks.
  return (
    <button type="button" className="preview-link" title={url} onClick={() => ask(url)}>
      {words}
    </button>
  );
}

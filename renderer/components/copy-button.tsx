/** Copies a text and says that it did. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../locale/locale.ts';
import { useApp } from '../store/use-app.ts';
import { Button, type ButtonProps } from './button.tsx';

const SAYS_SO_MS = 2000;

export function CopyButton({
  text,
  label,
  ...rest
}: { text: string; label?: string } & Pick<ButtonProps, 'look' | 'size'>) {
  const [isCopied, setCopied] = useState(false);
  const fail = useApp((state) => state.fail);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SAYS_SO_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true), fail);
  return (
    <Button
      {...rest}
      icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{isCopied ? t('shell.copied') : (label ?? t('shell.copy'))}</span>
    </Button>
  );
}

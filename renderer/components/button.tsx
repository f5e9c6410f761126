/** Buttons: one primary per view, plain ones elsewhere, bare ones in rows and bars. */
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import './button.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'plain' | 'bare' | 'danger';
  size?: 'normal' | 'small';
  icon?: ReactNode;
  /** Something is under way: it says so and takes no second click. */
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  look = 'plain',
  size = 'normal',
  icon,
  isBusy = false,
  children,
  className = '',
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${look} button-${size} ${className}`}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled === true || isBusy}
    >
      {isBusy ? <span className="button-spinner" aria-hidden="true" /> : icon}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

/** A picture alone needs a name. */
export function IconButton({ label, ...rest }: Omit<ButtonProps, 'children'> & { label: string }) {
  return (
    <Button
      look="bare"
      aria-label={label}
      title={label}
      {...rest}
      className={`icon-button ${rest.className ?? ''}`}
    />
  );
}

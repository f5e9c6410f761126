/**
 * The head of a view (its name, what it is about, its one primary action) and its content, which
 * scrolls by itself.
 */
import type { ReactNode } from 'react';

interface ViewFrameProps {
  title: string;
  /** Beside the title, such as the project. */
  about?: ReactNode;
  actions?: ReactNode;
  /**
   * The content fills the view and scrolls inside (tables, editors) instead of scrolling as a
   * whole.
   */
  isFilled?: boolean;
  children: ReactNode;
}

export function ViewFrame({ title, about, actions, isFilled = false, children }: ViewFrameProps) {
  return (
    <>
      <header className="view-head">
        <h1>{title}</h1>
        {about !== undefined && <div className="view-about">{about}</div>}
        {actions !== undefined && <div className="view-actions">{actions}</div>}
      </header>
      <div
        className={isFilled ? 'view-body view-filled' : 'view-body'}
        {...(!isFilled && { tabIndex: -1 })}
      >
        {children}
      </div>
    </>
  );
}

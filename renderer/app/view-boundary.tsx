/**
 * A view that breaks takes nothing else with it: the rail stays, and the view can be tried again.
 */
import { Component, type ReactNode } from 'react';
import type { BridgeError } from '../bridge/bridge.ts';
import { ErrorState } from '../components/states.tsx';
import { asBridgeError } from '../store/app-store.ts';

export class ViewBoundary extends Component<
  { children: ReactNode },
  { error: BridgeError | undefined }
> {
  override state: { error: BridgeError | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: BridgeError } {
    return { error: asBridgeError(error) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? (
      this.props.children
    ) : (
      <ErrorState error={error} onRetry={() => this.setState({ error: undefined })} />
    );
  }
}

/**
 * How components get at the store and the Bridge; both are made once in main.tsx and given down.
 */
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Bridge } from '../bridge/bridge.ts';
import type { AppActions, AppState, AppStore } from './app-store.ts';

export interface AppTools {
  store: AppStore;
  bridge: Bridge;
}

export const AppContext = createContext<AppTools | undefined>(undefined);

function useTools(): AppTools {
  const tools = useContext(AppContext);
  if (tools === undefined) throw new Error('no store above this component');
  return tools;
}

export function useApp<T>(select: (state: AppState & AppActions) => T): T {
  return useStore(useTools().store, select);
}

export function useBridge(): Bridge {
  return useTools().bridge;
}

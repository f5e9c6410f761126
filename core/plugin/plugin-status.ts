/**
 * What is known of the plugin in Claude Code: the same for the window, the command line and the
 * doctor (G4).
 */
import type { Message } from '../messages/message.ts';

export interface PluginStatus {
  /** The `claude` program, or null if it was not found. */
  cli: { path: string; version: string } | null;
  /** The CLI cannot be used, or Claude Code cannot load the plugin. */
  problem: Message | null;
  isInstalled: boolean;
  isEnabled: boolean;
  /** Of the installed copy, and of the one that this application carries. */
  installedVersion: string | null;
  carriedVersion: string | null;
  /** Installed, but an older one than the application carries. */
  isOutdated: boolean;
  /** Installed, but Claude Code cannot use it as it is: a repair puts it right. */
  isDamaged?: boolean;
  /** This Claude Code loads mods: exact figures, and clears without a key. */
  hasMods: boolean | null;
  /** When a hook of the plugin was last seen at work. */
  lastSeenAt: string | null;
  /** What to do where there is no CLI to do it; `plugin.command` is to be typed. */
  manualSteps: Message[];
  /** The folders with memories and settings that stay when the plugin goes. */
  remains?: string[];
}

/**
 * Reads and saves, for the window, the rules that go along with prompts (F10, M19): of a project or
 * of the user, with a history. Rules that were changed meanwhile are not overwritten.
 */
import { existsSync } from 'node:fs';
import {
  MAX_RULES_CHARS,
  projectRulesPath,
  rulesInForce,
  userRulesPath,
} from '../../memory/restore/rules.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Language } from '../../messages/render.ts';
import { followLink, writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { undoDocument } from '../../platform/store/document.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import {
  isUnchangedOutside,
  keepVersion,
  listVersions,
  markAsWritten,
} from '../../platform/store/history.ts';
import { withLock } from '../../platform/store/lock.ts';
import type { Places } from '../../platform/store/places.ts';
import { prepareProjectMemory, projectMemory } from '../../projects/project-memory.ts';
import { RecentTexts, type Saved, type VersionedText, versionOf } from './text-versions.ts';

export interface RulesText extends VersionedText {
  /** Whose rules these are; for a project without any, whose hold there. */
  from: 'default' | 'user' | 'project';
  problems: Message[];
  canUndo: boolean;
}

const KEPT_VERSIONS = 50;

export class RulesEditor {
  readonly #places: Places;
  readonly #language: Language;
  readonly #texts = new Map<string, RecentTexts>();

  constructor(places: Places, language: Language) {
    this.#places = places;
    this.#language = language;
  }

  read(root: string | undefined): RulesText {
    const { text, from, problems } = rulesInForce(this.#places, root, this.#language);
    const file = this.#file(root);
    if (text.trim().length > MAX_RULES_CHARS)
      problems.push(message('memory.rulesCut', { count: MAX_RULES_CHARS }));
    return {
      text,
      version: this.#textsOf(file).add(text),
      from,
      problems,
      canUndo: listVersions(file).length > 0 && isUnchangedOutside(file),
    };
  }

  save(root: string | undefined, text: string, base: string): Saved {
    const file = this.#preparedFile(root);
    return withLock(file, (lock): Saved => {
      const { text: theirs, problems } = rulesInForce(this.#places, root, this.#language);
      if (problems.length > 0) throw new ExpectedError(message('edit.notSaved', { problems }));
      const texts = this.#textsOf(file);
      if (versionOf(theirs) !== base) return texts.conflict(base, text, theirs);
      writeFileAtomic(file, text, {
        beforeCommit: () => {
          keepVersion(file, KEPT_VERSIONS);
          lock.assertHeld();
        },
      });
      markAsWritten(file);
      const { text: now } = rulesInForce(this.#places, root, this.#language);
      return { saved: true, version: texts.add(now) };
    });
  }

  /** A project has none of its own then, the user the default ones; undo brings these back. */
  reset(root: string | undefined): void {
    const file = this.#preparedFile(root);
    withLock(file, (lock) => {
      if (!existsSync(file)) return; // nothing to undo later
      lock.assertHeld();
      keepVersion(file, KEPT_VERSIONS);
      removeFile(file);
      markAsWritten(file);
    });
  }

  undo(root: string | undefined): void {
    if (!undoDocument(this.#file(root))) throw new ExpectedError(message('edit.noRulesUndo'));
  }

  #file(root: string | undefined): string {
    const path =
      root === undefined ? userRulesPath(this.#places) : projectRulesPath(this.#places, root);
    if (path === undefined) throw new ExpectedError(message('edit.rulesOutside'));
    return followLink(path);
  }

  #preparedFile(root: string | undefined): string {
    if (root !== undefined) prepareProjectMemory(projectMemory(this.#places, root));
    return this.#file(root);
  }

  #textsOf(file: string): RecentTexts {
    const texts = this.#texts.get(file) ?? new RecentTexts(file);
    this.#texts.set(file, texts);
    return texts;
  }
}

/**
 * The order of files: those with the most to do first, so that none is left alone at the end. That
 * is told by their size and by that of the cases they import, and the same on every machine.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { textsOf } from './test-texts.ts';

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map((file) => [file, textsOf(file.moduleId).join().length]));
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return [...files].sort(
      (a, b) => order(a) - order(b) || (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0),
    );
  }
}

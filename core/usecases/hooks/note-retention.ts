/** Says in the activity log what retention did with a project's conversations (T8). */
import { addActivity } from '../../clear/activity.ts';
import type { ProjectContext } from '../../memory/model/jobs.ts';
import type { RetentionOutcome } from '../../memory/tiers/tiers.ts';
import { message } from '../../messages/message.ts';

export function noteRetention(
  { places, memory, settings }: ProjectContext,
  outcome: RetentionOutcome | undefined,
): void {
  const { l1Days: days, trashDays } = settings.retention;
  const rows = [
    {
      what: 'trashed',
      figures: outcome?.trashed,
      note: message('memory.trashedByAge', { days, trashDays }),
    },
    {
      what: 'trashRemoved',
      figures: outcome?.removed,
      note: message('memory.trashTimeOver', { trashDays }),
    },
  ];
  for (const { what, figures, note } of rows)
    if (figures !== undefined && figures.files > 0)
      addActivity(places, [{ what, figures: { ...figures }, note, project: memory.root }]);
}

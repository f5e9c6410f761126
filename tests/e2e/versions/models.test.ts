import table from '../../../resources/models.json' with { type: 'json' };
import { modelTable } from '../cases/models.ts';

modelTable([...Object.keys(table.models), 'claude-haiku-4-5[1m]', 'claude-sonnet-4-5@20250929']);

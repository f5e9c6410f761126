/** Reads fields of untrusted JSON: a field that is missing or of another type is undefined. */

export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordAt(record: JsonRecord, field: string): JsonRecord | undefined {
  const value = record[field];
  return isRecord(value) ? value : undefined;
}

export function stringAt(record: JsonRecord, field: string): string | undefined {
  const value = record[field];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(record: JsonRecord, field: string): number | undefined {
  const value = record[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

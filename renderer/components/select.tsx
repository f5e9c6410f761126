/**
 * One of several: the list that the system itself has, so that it works by every key and for every
 * screen reader (G6).
 */

export interface Choice<T extends string> {
  value: T;
  label: string;
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
  describedBy?: string | undefined;
}

export function Select<T extends string>({
  label,
  value,
  choices,
  onChange,
  describedBy,
}: SelectProps<T>) {
  const isKnown = choices.some((choice) => choice.value === value);
  return (
    <select
      className="field"
      aria-label={label}
      aria-describedby={describedBy}
      value={value}
      onChange={(event) => onChange(event.target.value as T)}
    >
      {!isKnown && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

/** One of two or three, all to be seen: for scopes and ways of looking. */
import { RadioGroup } from 'radix-ui';
import type { Choice } from './select.tsx';
import './segments.css';

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  choices: readonly (Choice<T> & { isDisabled?: boolean })[];
  onChange: (value: T) => void;
}

export function Segments<T extends string>({ label, value, choices, onChange }: SegmentsProps<T>) {
  return (
    <RadioGroup.Root
      className="segments"
      orientation="horizontal"
      value={value}
      onValueChange={(chosen) => onChange(chosen as T)}
      aria-label={label}
    >
      {choices.map((choice) => (
        <RadioGroup.Item
          key={choice.value}
          value={choice.value}
          className="segment"
          disabled={choice.isDisabled === true}
        >
          {choice.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}

/** On or off, at once. */
import { Switch as Radix } from 'radix-ui';
import './switch.css';

interface SwitchProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  describedBy?: string | undefined;
  isDisabled?: boolean;
}

export function Switch({ label, isOn, onChange, describedBy, isDisabled = false }: SwitchProps) {
  return (
    <Radix.Root
      className="switch"
      checked={isOn}
      onCheckedChange={onChange}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={isDisabled}
    >
      <Radix.Thumb className="switch-thumb" />
    </Radix.Root>
  );
}

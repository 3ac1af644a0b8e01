// A line of a list with two choices and a button that removes it.
import { ActionIcon, Group, Select, type SelectProps } from '@mantine/core'
import { IconX } from '../../icons/icons.tsx'

interface Choice {
  label: string
  value: string
  data: NonNullable<SelectProps['data']>
  onChange: (value: string) => void
}

interface ChoiceRowProps {
  first: Choice
  second: Choice
  removeLabel: string
  onRemove: () => void
}

export const ChoiceRow = ({ first, second, removeLabel, onRemove }: ChoiceRowProps) => (
  <Group gap="xs" wrap="nowrap">
    {[first, second].map(({ label, value, data, onChange }) => (
      <Select
        key={label}
        style={{ flex: 1 }}
        aria-label={label}
        data={data}
        value={value}
        allowDeselect={false}
        onChange={(chosen) => chosen !== null && onChange(chosen)}
      />
    ))}
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={removeLabel}
      onClick={onRemove}
    >
      <IconX size={16} aria-hidden="true" />
    </ActionIcon>
  </Group>
)

// The times of a week at which people answer.
import type { HandoffRules } from '@botstead/contract'
import {
  ActionIcon,
  Button,
  Checkbox,
  Chip,
  Group,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconTrash } from '../../../icons/icons.tsx'
import { ownTimezone, TimezoneField } from '../../../parts/forms/timezone-field.tsx'
import { texts } from '../../../texts/texts.ts'

const t = texts.inbox.rules

type Hours = NonNullable<HandoffRules['hours']>
type Period = Hours['open'][number]
type Day = Period['days'][number]

const days = Object.keys(t.days) as Day[]
const workingDays = (): Period => ({ days: days.slice(0, 5), from: '09:00', to: '17:00' })

export const newHours = (): Hours => ({
  timezone: ownTimezone(),
  open: [workingDays()],
  message: '',
  handsOver: false,
})

interface OpeningHoursProps {
  hours: Hours
  onChange: (hours: Hours) => void
}

export function OpeningHours({ hours, onChange }: OpeningHoursProps) {
  const { timezone, open, message, handsOver } = hours
  const change = (changes: Partial<Hours>) => onChange({ ...hours, ...changes })
  const replace = (at: number, ...periods: Period[]) =>
    change({ open: open.toSpliced(at, 1, ...periods) })
  return (
    <Stack>
      <TimezoneField
        label={t.timezone}
        value={timezone}
        onChange={(zone) => change({ timezone: zone })}
      />
      {open.map((period, index) => (
        <PeriodFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a period has no identity but its place
          key={index}
          period={period}
          onChange={(changed) => replace(index, changed)}
          onRemove={() => replace(index)}
        />
      ))}
      <Button
        variant="default"
        me="auto"
        disabled={open.length >= 50}
        onClick={() => change({ open: [...open, workingDays()] })}
      >
        {t.addHours}
      </Button>
      <Textarea
        required
        label={t.closedMessage}
        autosize
        maxLength={2_000}
        value={message}
        onChange={(event) => change({ message: event.currentTarget.value })}
      />
      <Checkbox
        label={t.handsOver}
        description={t.handsOverHint}
        checked={handsOver}
        onChange={(event) => change({ handsOver: event.currentTarget.checked })}
      />
    </Stack>
  )
}

interface PeriodFieldsProps {
  period: Period
  onChange: (period: Period) => void
  onRemove: () => void
}

function PeriodFields({ period, onChange, onRemove }: PeriodFieldsProps) {
  const toggle = (chosen: string[]) => {
    // A period has at least one day.
    if (chosen.length > 0)
      onChange({ ...period, days: days.filter((day) => chosen.includes(day)) })
  }
  return (
    <Stack component="fieldset" gap="xs" p={0} m={0} bd="none" aria-label={t.period}>
      <Chip.Group multiple value={period.days} onChange={toggle}>
        <Group gap={6}>
          {days.map((day) => (
            <Chip key={day} value={day} size="xs">
              {t.days[day]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          type="time"
          required
          withAsterisk={false}
          label={t.from}
          value={period.from}
          onChange={(event) => onChange({ ...period, from: event.currentTarget.value })}
        />
        {/* A field of the browser knows no 24:00; as an end, midnight is the end of the day. */}
        <TextInput
          type="time"
          required
          withAsterisk={false}
          label={t.to}
          value={period.to === '24:00' ? '00:00' : period.to}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...period, to: value === '00:00' ? '24:00' : value })
          }
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t.removeHours}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden="true" />
        </ActionIcon>
      </Group>
    </Stack>
  )
}

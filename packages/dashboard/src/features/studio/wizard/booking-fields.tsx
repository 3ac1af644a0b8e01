// The opening hours and limits of a dialogue that books.
import type { BookingAnswers } from '@botstead/flows/wizards'
import { Fieldset, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { TimezoneField } from '../../../parts/forms/timezone-field.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { toObject } from '../flows/bot-document.ts'
import { PersonField, QuestionFields } from './question-fields.tsx'
import { useFault, useWizardForm } from './wizard-form.ts'

const t = texts.wizards

export function BookingFields() {
  return (
    <>
      <Fieldset legend={t.hours} variant="filled">
        <Stack gap="sm">
          <Text size="xs" c="dimmed">
            {t.hoursHint}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {t.days.map((day, index) => (
              <HoursField key={day} day={day} index={index} />
            ))}
          </SimpleGrid>
          <BotTimezone />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            <AmountField name="minutes" />
            <AmountField name="capacity" />
            <AmountField name="noticeHours" />
            <AmountField name="daysAhead" />
          </SimpleGrid>
        </Stack>
      </Fieldset>
      <QuestionFields />
      <PersonField />
    </>
  )
}

function HoursField({ day, index }: { day: string; index: number }) {
  const { answers, change } = useWizardForm()
  const { hours } = answers as BookingAnswers
  return (
    <TextInput
      label={day}
      value={hours[index] ?? ''}
      error={useFault(`hours.${index}`, day)}
      onChange={(event) =>
        change({ hours: hours.with(index, event.currentTarget.value) })
      }
    />
  )
}

type Amount = 'minutes' | 'capacity' | 'noticeHours' | 'daysAhead'

function AmountField({ name }: { name: Amount }) {
  const { answers, change } = useWizardForm()
  const value = (answers as BookingAnswers)[name]
  return (
    <NumberInput
      label={t[name]}
      allowDecimal={false}
      value={Number.isNaN(value) ? '' : value}
      error={useFault(name, t[name])}
      onChange={(typed) => change({ [name]: typed === '' ? Number.NaN : Number(typed) })}
    />
  )
}

/** The document may have a time zone, which stays. */
function BotTimezone() {
  const { value } = useStudio()
  const { answers, change } = useWizardForm()
  const { timezone: known } = toObject(toObject(toObject(value.settings)).defaults)
  const fault = useFault('timezone', t.timezone)
  if (typeof known === 'string') return <Text size="sm">{t.timezoneKnown(known)}</Text>
  return (
    <TimezoneField
      label={t.timezone}
      description={t.timezoneHint}
      value={(answers as BookingAnswers).timezone}
      error={fault}
      onChange={(timezone) => change({ timezone })}
    />
  )
}

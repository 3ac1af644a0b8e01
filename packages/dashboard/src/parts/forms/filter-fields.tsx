// Fields that filter a list; their values are in the address.

import { Select, TextInput } from '@mantine/core'
import { useBotQuery } from '../../api/bot-query.ts'
import { useFilter } from '../../api/filters.ts'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { useTypedFilter } from './typed-filter.ts'

interface FieldProps {
  name: string
  label: string
  placeholder?: string
}

/** `maxLength` is that of the operation. */
export function TextFilter({
  name,
  label,
  placeholder,
  maxLength = 200,
}: FieldProps & { maxLength?: number }) {
  const [value, setValue] = useTypedFilter(name)
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
      type="search"
      maxLength={maxLength}
    />
  )
}

export function DateFilter({ name, label }: FieldProps) {
  const [value = '', setValue] = useFilter(name)
  return (
    <TextInput
      label={label}
      type="date"
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    />
  )
}

/** `placeholder`: without a choice. */
export function ChoiceFilter({
  name,
  label,
  placeholder = texts.conversations.filters.any,
  choices,
}: FieldProps & { choices: { value: string; label: string }[] }) {
  const [value, setValue] = useFilter(name)
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={choices}
      value={value ?? null}
      onChange={(chosen) => setValue(chosen ?? '')}
      clearable
      clearButtonProps={{ 'aria-label': placeholder }}
    />
  )
}

/** The aliases of the bot's integrations, for roles that may read them. */
export function IntegrationFilter({ label }: { label: string }) {
  const isReader = useMay()('bots.read')
  const { data } = useBotQuery({ isNeeded: isReader })
  if (!isReader) return null
  const aliases = Object.keys(data?.bot.integrations ?? {})
  const choices = aliases.map((value) => ({ value, label: value }))
  return <ChoiceFilter name="integration" label={label} choices={choices} />
}

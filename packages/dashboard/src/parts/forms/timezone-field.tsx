// A time zone: chosen from a list that is searched by typing, such as "Berlin".
import { Select } from '@mantine/core'
import type { ReactNode } from 'react'

export const ownTimezone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The first ones are the likely ones. */
export const listTimezones = (value = ownTimezone()) => [
  ...new Set([value, ownTimezone(), 'UTC', ...Intl.supportedValuesOf('timeZone')]),
]

interface TimezoneFieldProps {
  label: string
  description?: string
  error?: ReactNode
  value: string
  onChange: (timezone: string) => void
}

export const TimezoneField = ({ value, onChange, ...shown }: TimezoneFieldProps) => (
  <Select
    {...shown}
    searchable
    // Typing replaces the chosen one.
    onClick={(event) => event.currentTarget.select()}
    allowDeselect={false}
    limit={100}
    data={listTimezones(value).filter((zone) => zone !== '')}
    value={value}
    onChange={(zone) => zone && onChange(zone)}
  />
)

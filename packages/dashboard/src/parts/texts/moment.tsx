// Times, in the reader's time zone: relative, with the exact time as a tooltip.
import { Text } from '@mantine/core'
import { language } from '../../texts/in-language.ts'
import { useClock } from './clock.ts'

const relative = new Intl.RelativeTimeFormat(language, {
  numeric: 'auto',
  style: 'short',
})
const exact = new Intl.DateTimeFormat(language, {
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium' })
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

export const exactTime = (at: string) => exact.format(new Date(at))

export const exactClock = (at: string) => clock.format(new Date(at))

export function relativeTime(at: string): string {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000)
  const [unit, size] =
    units.find(([, size]) => Math.abs(seconds) >= size) ?? units.at(-1)!
  const round = seconds > 0 ? Math.round : Math.trunc
  return relative.format(round(seconds / size), unit)
}

interface MomentProps {
  at: string
  size?: 'xs' | 'sm'
  /** On a coloured ground, `inherit` has the contrast of the text around it. */
  c?: 'dimmed' | 'inherit'
}

export function Moment({ at, size = 'sm', c = 'dimmed' }: MomentProps) {
  useClock(at)
  return (
    <Text component="time" dateTime={at} title={exactTime(at)} size={size} c={c}>
      {relativeTime(at)}
    </Text>
  )
}

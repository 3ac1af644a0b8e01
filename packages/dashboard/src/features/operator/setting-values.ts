// Values of settings with their units, which are in the names of the variables.

import { toBytes } from '../../parts/files/bytes.ts'
import { toCount, toDuration } from '../../parts/texts/amounts.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.installation

const units: [RegExp, (value: number) => string][] = [
  // 0 keeps such data for ever.
  [/_DAYS$/, (value) => (value === 0 ? t.unlimited : t.days(value))],
  [/_HOURS$/, t.hours],
  [/_SECONDS$/, toDuration],
  [/_MB$/, (value) => toBytes(value * 1_000_000)],
  [/_BYTES(_|$)/, toBytes],
  [/_PER_SECOND$/, (value) => t.perSecond(toCount(value))],
  [/_PER_MINUTE$/, (value) => t.perMinute(toCount(value))],
  [/_LENGTH$/, (value) => t.characters(toCount(value))],
  [/_LIMIT_/, toCount],
  [
    /^BOTSTEAD_(CHECK_ANSWERS|TUNNELS|MESSAGE_SEARCH)$/,
    (value) => (value ? t.on : t.off),
  ],
]

export function toReadable(name: string, value: string | null): string {
  if (value === null) return t.notSet
  if (value === 'no limit') return t.unlimited
  const [, format] = units.find(([form]) => form.test(name)) ?? []
  return format && /^\d+$/.test(value) ? format(Number(value)) : value
}

// What the parts of a booking dialogue share: its variables, and how times are written.
import type { BookingAnswers } from './answers.ts'
import type { DialogueBuilder } from './builder.ts'
import { toHours } from './free-times.ts'
import type { AskedQuestion } from './questions.ts'
import type { UsedTable } from './tables.ts'

export interface Booking {
  builder: DialogueBuilder
  answers: BookingAnswers
  asked: AskedQuestion[]
  table: UsedTable
  zone: string
  /** Language tag of dates, as an expression. */
  locale: string
  names: ReturnType<typeof declareNames>
}

export const declareNames = (builder: DialogueBuilder, hours: string[]) => ({
  wish: builder.variable('wish', 'string'),
  day: builder.variable('day', 'date'),
  dayText: builder.variable('dayText', 'string'),
  times: builder.variable('times', 'array'),
  time: builder.variable('time', 'string'),
  when: builder.variable('when', 'string'),
  taken: builder.variable('taken', 'array'),
  free: builder.variable('free', 'string'),
  slot: builder.variable('slot', 'string'),
  code: builder.variable('code', 'string'),
  written: builder.variable('written', 'array'),
  found: builder.variable('found', 'array'),
  booking: builder.variable('booking', 'object'),
  attempts: builder.variable('attempts', 'number', { default: 0 }),
  isComplete: builder.variable('isComplete', 'boolean'),
  openingHours: builder.variable('openingHours', 'object', {
    default: Object.fromEntries(
      hours.map((each, index) => [String(index + 1), toHours(each)]),
    ),
    description: 'Times by weekday, 1 is Monday: 09:00-12:00, 13:00-17:00',
  }),
})

/** Returns the expression of a time as people read it. */
export const toWhen = ({ zone, locale }: Booking, time: string) =>
  `luxon.DateTime.fromISO(${time}, { zone: ${JSON.stringify(zone)} }).setLocale(${locale})` +
  '.toLocaleString({ weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", ' +
  'hourCycle: "h23" })'

export const leads = (builder: DialogueBuilder) => ({
  cancelWords: builder.words('cancelWords'),
  onCancel: 'cancelled',
  onFail: 'givenUp',
})

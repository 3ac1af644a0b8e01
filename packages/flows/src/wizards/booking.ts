// Makes a dialogue that books one of the free times, and changes or cancels a booking later. Two visitors
// cannot get the last place of a time: `slot`, the time and the number of the place, is unique in the table.
import { type DocumentEdit, isObject } from '../edits/edit.ts'
import { toObject } from '../texts/catalogue.ts'
import type { BookingAnswers, KnownTable } from './answers.ts'
import { addManagement } from './booking-management.ts'
import { type Booking, declareNames, leads, toWhen } from './booking-variables.ts'
import { type DialogueBuilder, findTimezone } from './builder.ts'
import { addEndings, addNotFound, addNotStored, addOffer, addPerson } from './endings.ts'
import { toFreeTimesCode } from './free-times.ts'
import {
  addConfirmation,
  addQuestions,
  declareQuestions,
  toSummary,
} from './questions.ts'
import { buttonPrefix, toPhrase } from './reach.ts'
import { toAnswerLanguage } from './readable.ts'
import { type StoredPart, useTable } from './tables.ts'
import { expression, joined, standard, type Text, wordsIn } from './text.ts'

/** Rows of one day that the flow reads. */
export const maxBookingsOfDay = 1000

/** Parts of the table of bookings, besides the questions. */
export const bookingParts: StoredPart[] = [
  { id: 'slot', name: 'slot', column: { type: 'string' } },
  { id: 'time', name: 'time', column: { type: 'string', format: 'date-time' } },
  { id: 'local', name: 'localTime', column: { type: 'string' } },
  { id: 'code', name: 'bookingNumber', column: { type: 'string' } },
  { id: 'status', name: 'status', column: { type: 'string' } },
]

export function addBooking(
  builder: DialogueBuilder,
  answers: BookingAnswers,
  known: KnownTable[],
): void {
  const names = declareNames(builder, answers.hours)
  const asked = declareQuestions(builder, answers.questions)
  const zone = JSON.stringify(builder.timezone)
  const local = `luxon.DateTime.fromISO(${names.time}, { zone: ${zone} }).toFormat("yyyy-MM-dd HH:mm")`
  const values: Record<string, string> = {
    slot: names.slot,
    time: names.time,
    local: `${local} + ${JSON.stringify(` ${builder.timezone}`)}`,
    code: names.code,
    status: '"booked"',
  }
  const parts = bookingParts.map((part) => ({ ...part, value: values[part.id]! }))
  const table = useTable(builder, {
    choice: answers.table,
    parts: [...parts, ...asked.map(({ part }) => part)],
    known,
    keyPart: 'slot',
  })!
  addTimezone(builder)
  const locale = toAnswerLanguage(builder.language)
  const booking = {
    builder,
    answers,
    asked,
    table,
    zone: builder.timezone,
    locale,
    names,
  }
  addWish(booking)
  addTimes(booking)
  addAnswers(booking)
  addReservation(booking)
  addManagement(booking)
  addBookingEndings(booking)
}

/** A document without a time zone gets that of the dialogue. */
function addTimezone(builder: DialogueBuilder): void {
  const { timezone, document } = builder
  if (findTimezone(document) !== undefined) return
  const { settings } = document
  const { defaults } = toObject(settings)
  const set = (pointer: string, value: unknown): DocumentEdit => ({
    op: 'set',
    pointer,
    value,
  })
  if (!isObject(settings)) builder.edit(set('/settings', { defaults: { timezone } }))
  else if (!isObject(defaults)) builder.edit(set('/settings/defaults', { timezone }))
  else builder.edit(set('/settings/defaults/timezone', timezone))
}

/** The button says that it books, so it does not ask again. Words lead to changes, too. */
function toWishSkip({ builder, answers }: Booking) {
  const { button, words } = answers
  const known = wordsIn('bookingWords', [builder.language]).map((word) =>
    toPhrase(word).trim(),
  )
  const isClear = button !== '' && known.some((word) => toPhrase(button).includes(word))
  if (!isClear || words.length === 0) return []
  const when = `event.payload.value === ${JSON.stringify(buttonPrefix + builder.flow)}`
  return [{ type: 'transition', when, to: 'chooseDay' }]
}

function addWish(booking: Booking) {
  const { builder, names } = booking
  builder.node(
    'start',
    [
      ...toWishSkip(booking),
      {
        type: 'capture',
        kind: 'singleChoice',
        question: builder.standard('wish'),
        options: [
          { label: builder.standard('wishNew'), value: 'new' },
          { label: builder.standard('wishChange'), value: 'change' },
        ],
        into: names.wish,
        ...leads(builder),
      },
      { type: 'transition', when: `${names.wish} === "change"`, to: 'bookingNumber' },
    ],
    'chooseDay',
  )
}

function addTimes(booking: Booking) {
  const { builder, answers, table, zone, locale, names } = booking
  const { daysAhead } = answers
  const today = `luxon.DateTime.now().setZone(${JSON.stringify(zone)})`
  const ofDay = `luxon.DateTime.fromISO(${names.day}, { zone: ${JSON.stringify(zone)} })`
  const { time, slot } = table.columns
  builder.node(
    'chooseDay',
    [
      {
        type: 'capture',
        kind: 'date',
        question: builder.standard('day'),
        min: `{{ ${today}.toISODate() }}`,
        max: `{{ ${today}.plus({ days: ${daysAhead} }).toISODate() }}`,
        into: names.day,
        retryMessage: builder.standard('dayRetry', { days: () => String(daysAhead) }),
        ...leads(builder),
      },
    ],
    'freeTimes',
  )
  const filter = {
    [time!]: {
      $gte: `{{ ${ofDay}.startOf("day").toUTC().toISO() }}`,
      $lte: `{{ ${ofDay}.endOf("day").toUTC().toISO() }}`,
    },
    [slot!]: { $exists: true },
  }
  const code = toFreeTimesCode(answers, { zone, locale, timeColumn: time!, names })
  const find = {
    type: 'table',
    table: table.name,
    operation: 'find',
    filter,
    into: names.taken,
  }
  builder.node(
    'freeTimes',
    [
      { ...find, limit: maxBookingsOfDay },
      { type: 'code', name: 'free times', code },
      { type: 'transition', when: `${names.times}.length === 0`, to: 'noTimes' },
    ],
    'chooseTime',
  )
  const day = { day: expression(names.dayText) }
  builder.node(
    'noTimes',
    [{ type: 'send', message: builder.standard('noTimes', day) }],
    'chooseDay',
  )
}

function addAnswers(booking: Booking) {
  const { builder, asked, names } = booking
  const { isComplete, when } = names
  const after = { onCancel: 'cancelled', onFail: 'givenUp' }
  builder.node(
    'chooseTime',
    [
      {
        type: 'capture',
        kind: 'singleChoice',
        question: builder.standard('time', { day: expression(names.dayText) }),
        options: `{{ ${names.times} }}`,
        into: names.time,
        retryMessage: builder.standard('timeRetry', { day: expression(names.dayText) }),
        cancelLabel: builder.standard('otherDay'),
        cancelWords: builder.words('otherDayWords'),
        onCancel: 'chooseDay',
        onFail: 'chooseDay',
      },
      { type: 'set', variable: when, value: `{{ ${toWhen(booking, names.time)} }}` },
      { type: 'set', variable: names.slot, value: null },
      { type: 'transition', when: `${names.booking} !== null`, to: 'reserve' },
      { type: 'transition', when: `${isComplete} === true`, to: 'confirm' },
    ],
    asked[0]?.node ?? 'confirm',
  )
  addQuestions(builder, asked, {
    ...after,
    next: 'confirm',
    isComplete: `${isComplete} === true`,
  })
  const label = standard('when')
  addConfirmation(builder, {
    ...after,
    summary: toBookingSummary(booking),
    text: 'confirmBooking',
    changes: [{ label, node: 'chooseDay' }, ...asked],
    isComplete,
    next: 'reserve',
  })
}

function toBookingSummary({ asked, names }: Booking): Text {
  const time = joined([standard('when'), () => ': ', expression(names.when)])
  return asked.length === 0 ? time : joined([time, toSummary(asked)], '\n')
}

/**
 * The table rejects a place that another visitor got meanwhile; then the flow looks for another one. If it
 * finds the same place, the row is too large.
 */
function addReservation(booking: Booking) {
  const { builder, answers, table, names } = booking
  const { time, slot } = table.columns
  const filter = { [time!]: `{{ ${names.time} }}`, [slot!]: { $exists: true } }
  const isTaken = `${names.taken}.some((row) => row[${JSON.stringify(slot)}] === place)`
  const toPlace = `(_, index) => ${names.time} + "#" + (index + 1)`
  const places = `Array.from({ length: ${answers.capacity} }, ${toPlace})`
  const onTable = { type: 'table', table: table.name }
  builder.node(
    'reserve',
    [
      {
        ...onTable,
        operation: 'find',
        filter,
        limit: maxBookingsOfDay,
        into: names.taken,
      },
      {
        type: 'set',
        variable: names.free,
        value: `{{ ${places}.find((place) => !${isTaken}) ?? null }}`,
      },
      { type: 'transition', when: `${names.free} === null`, to: 'timeTaken' },
      { type: 'transition', when: `${names.free} === ${names.slot}`, to: 'notStored' },
      { type: 'set', variable: names.slot, value: `{{ ${names.free} }}` },
      { type: 'transition', when: `${names.booking} !== null`, to: 'move' },
      {
        type: 'set',
        variable: names.code,
        value: '{{ event.id.replace(/[^A-Za-z0-9]/g, "").slice(-8).toUpperCase() }}',
      },
      { ...onTable, operation: 'create', row: table.row, into: names.written },
      { type: 'transition', when: `${names.written}.length === 0`, to: 'reserve' },
    ],
    'booked',
  )
  const parts = { when: expression(names.when), code: expression(names.code) }
  const next = answers.tellsPerson ? 'person' : undefined
  builder.node(
    'booked',
    [{ type: 'send', message: builder.standard('booked', parts) }],
    next,
  )
  builder.node(
    'timeTaken',
    [{ type: 'send', message: builder.standard('taken') }],
    'freeTimes',
  )
  addNotStored(builder, 'change')
  const ofTime = new Set([slot, time, table.columns.local])
  const row = Object.fromEntries(
    Object.entries(table.row).filter(([name]) => ofTime.has(name)),
  )
  builder.node('move', [
    {
      ...onTable,
      operation: 'update',
      id: `{{ ${names.booking}.id }}`,
      row,
      into: names.written,
    },
    { type: 'transition', when: `${names.written}.length === 0`, to: 'reserve' },
    { type: 'send', message: builder.standard('moved', parts) },
  ])
}

function addBookingEndings({ builder, answers, names, ...booking }: Booking) {
  const { tellsPerson, title } = answers
  const fails = tellsPerson ? 'offerPerson' : 'givenUp'
  const text = 'unknownCode'
  addNotFound(builder, { text, attempts: names.attempts, again: 'bookingNumber', fails })
  if (tellsPerson) {
    addOffer(builder, 'offerPerson')
    addPerson(builder, title, toBookingSummary({ builder, answers, names, ...booking }))
  }
  addEndings(builder)
}

// Lets a visitor change or cancel a booking, by its number.
import type { Json } from '../edits/edit.ts'
import { type Booking, leads, toWhen } from './booking-variables.ts'
import type { UsedTable } from './tables.ts'
import { expression } from './text.ts'

export function addManagement(booking: Booking) {
  const { builder, table, names } = booking
  const { time, slot, code } = table.columns
  const filter: Json = {
    [code!]: `{{ ${names.code}.trim().toUpperCase() }}`,
    [slot!]: { $exists: true },
    [time!]: { $gte: '{{ luxon.DateTime.now().toUTC().toISO() }}' },
  }
  const onTable = { type: 'table', table: table.name }
  const timeOfBooking = `${names.booking}[${JSON.stringify(time)}]`
  builder.node(
    'bookingNumber',
    [
      {
        type: 'capture',
        kind: 'text',
        max: 100,
        question: builder.standard('askCode'),
        into: names.code,
        ...leads(builder),
      },
      { ...onTable, operation: 'find', filter, limit: 1, into: names.found },
      { type: 'transition', when: `${names.found}.length === 0`, to: 'notFound' },
      { type: 'set', variable: names.booking, value: `{{ ${names.found}[0] }}` },
      {
        type: 'set',
        variable: names.code,
        value: `{{ ${names.booking}[${JSON.stringify(code)}] }}`,
      },
      {
        type: 'set',
        variable: names.when,
        value: `{{ ${toWhen(booking, timeOfBooking)} }}`,
      },
    ],
    'manage',
  )
  addManageChoice(booking)
  const row = { [slot!]: null, ...toCancelled(table) }
  const isSure = builder.variable('isSure', 'boolean')
  builder.node(
    'confirmCancel',
    [
      {
        type: 'capture',
        kind: 'confirmation',
        question: builder.standard('reallyCancel', { when: expression(names.when) }),
        into: isSure,
        cancelWords: [],
        onFail: 'keepBooking',
      },
      { type: 'transition', when: `!${isSure}`, to: 'keepBooking' },
    ],
    'cancelBooking',
  )
  builder.node('cancelBooking', [
    { ...onTable, operation: 'update', id: `{{ ${names.booking}.id }}`, row },
    { type: 'send', message: builder.standard('removed') },
  ])
}

const toCancelled = ({ columns: { status } }: UsedTable): Json =>
  status === undefined ? {} : { [status]: 'cancelled' }

function addManageChoice({ builder, names }: Booking) {
  builder.node(
    'manage',
    [
      {
        type: 'capture',
        kind: 'singleChoice',
        question: builder.standard('found', { when: expression(names.when) }),
        options: [
          { label: builder.standard('foundMove'), value: 'move' },
          { label: builder.standard('foundCancel'), value: 'cancel' },
          { label: builder.standard('foundKeep'), value: 'keep' },
        ],
        into: names.wish,
        cancelWords: [],
        onFail: 'keepBooking',
      },
      { type: 'transition', when: `${names.wish} === "move"`, to: 'chooseDay' },
      { type: 'transition', when: `${names.wish} === "cancel"`, to: 'confirmCancel' },
    ],
    'keepBooking',
  )
  builder.node('keepBooking', [{ type: 'send', message: builder.standard('kept') }])
}

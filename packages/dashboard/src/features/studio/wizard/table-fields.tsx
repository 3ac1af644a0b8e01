// The table of a dialogue: a new one, or one of the bot with a column for each answer.
import {
  bookingParts,
  canStore,
  type DialogueAnswers,
  fitSentence,
  type KnownTable,
  type OrderAnswers,
  type TableChoice,
  tableNames,
  toColumnOfQuestion,
} from '@botstead/flows/wizards'
import { Fieldset, Select, Stack, Text, TextInput } from '@mantine/core'
import { texts } from '../../../texts/texts.ts'
import { useFault, useWizardForm } from './wizard-form.ts'

const t = texts.wizards

interface Part {
  id: string
  label: string
  column: { type: string; format?: string | undefined }
  /** Whether a value must be stored. */
  isNeeded: boolean
}

function listParts(answers: DialogueAnswers): Part[] {
  const fixed = (id: string, type: string, format?: string): Part => ({
    id,
    label: t.parts[id] ?? id,
    column: { type, format },
    isNeeded: false,
  })
  if (answers.kind === 'order') return []
  if (answers.kind === 'rating')
    return [
      fixed('rating', 'number'),
      ...(answers.asksComment ? [fixed('comment', 'string')] : []),
    ]
  const asked = answers.questions.map(({ id, name, kind }): Part => {
    return { id, label: name, column: toColumnOfQuestion(kind), isNeeded: false }
  })
  if (answers.kind !== 'booking') return asked
  const ofBooking = bookingParts.map(({ id, column }): Part => {
    return { ...fixed(id, column.type, column.format), isNeeded: id !== 'status' }
  })
  return [...ofBooking, ...asked]
}

/** Bookings need unique values. */
const canHold = ({ kind }: DialogueAnswers, { keyColumn, columns }: KnownTable) =>
  kind !== 'booking' || (keyColumn !== undefined && columns[keyColumn]?.type === 'string')

export function TableFields() {
  const { answers, change, tables } = useWizardForm()
  const { table, kind } = answers
  const fault = useFault('table', t.table)
  const offered = tables.filter((one) => canHold(answers, one))
  const mayLack = kind !== 'booking' && kind !== 'order'
  const choose = (changes: ReturnType<typeof toExisting>) =>
    change(
      answers.kind === 'order'
        ? { ...changes, sentence: fitSentence({ ...answers, ...changes }, tables) }
        : changes,
    )
  const chooseOption = (chosen: string | null) => {
    const found = offered.find(({ name }) => `=${name}` === chosen)
    if (found) choose(toExisting(answers, found))
    else if (chosen === 'none') choose({ table: { kind: 'none' } })
    else choose({ table: { kind: 'new', name: tableNames[kind] } })
  }
  return (
    <Fieldset legend={t.table} variant="filled">
      <Stack gap="sm">
        <Select
          label={kind === 'order' ? t.ordersIn : t.storedIn}
          description={kind === 'booking' && t.keyHint}
          allowDeselect={false}
          error={fault}
          data={[
            { value: 'new', label: t.newTable },
            ...offered.map(({ name }) => ({ value: `=${name}`, label: name })),
            ...(mayLack ? [{ value: 'none', label: t.noTable }] : []),
          ]}
          value={table.kind === 'existing' ? `=${table.name}` : table.kind}
          onChange={chooseOption}
        />
        {table.kind === 'new' && <NewTable table={table} />}
        {table.kind === 'existing' && kind !== 'order' && <ColumnFields table={table} />}
        {kind === 'order' && <OrderColumns />}
      </Stack>
    </Fieldset>
  )
}

/** Columns with the name of an answer are chosen for it. */
function toExisting(
  answers: DialogueAnswers,
  { name, keyColumn, columns }: KnownTable,
): { table: TableChoice; numberColumn?: string; checkColumn?: string } {
  const names = Object.keys(columns)
  const used = new Set<string>()
  const find = ({ id, label, column }: Part) => {
    const wanted = id === 'slot' ? keyColumn : undefined
    const found =
      wanted ??
      names.find((one) => {
        const isNamed = [id, label].some(
          (word) => word.toLowerCase() === one.toLowerCase(),
        )
        return isNamed && !used.has(one) && canStore({ column }, columns[one]!)
      })
    if (found !== undefined) used.add(found)
    return found === undefined ? [] : [[id, found]]
  }
  const table: TableChoice = {
    kind: 'existing',
    name,
    columns: Object.fromEntries(listParts(answers).flatMap(find)),
  }
  return answers.kind === 'order'
    ? { table, numberColumn: keyColumn ?? names[0] ?? '', checkColumn: '' }
    : { table }
}

function NewTable({ table }: { table: TableChoice & { kind: 'new' } }) {
  const { answers, change } = useWizardForm()
  const parts = listParts(answers).map(({ label }) => label)
  const columns = answers.kind === 'order' ? ['number', 'status'] : parts
  return (
    <TextInput
      label={t.tableName}
      description={columns.length > 0 && t.newColumns(columns.join(texts.common.comma))}
      value={table.name}
      error={useFault('table.name', t.tableName)}
      onChange={(event) =>
        change({ table: { kind: 'new', name: event.currentTarget.value } })
      }
    />
  )
}

function ColumnFields({ table }: { table: TableChoice & { kind: 'existing' } }) {
  const { answers } = useWizardForm()
  const fault = useFault('table.name', table.name)
  return (
    <>
      {fault && (
        <Text size="sm" c="var(--bad)">
          {fault}
        </Text>
      )}
      {listParts(answers).map((part) => (
        <ColumnField key={part.id} part={part} table={table} />
      ))}
    </>
  )
}

interface ColumnFieldProps {
  part: Part
  table: TableChoice & { kind: 'existing' }
}

function ColumnField({ part, table }: ColumnFieldProps) {
  const { change, tables } = useWizardForm()
  const label = t.columnFor(part.label)
  const columns = tables.find(({ name }) => name === table.name)?.columns ?? {}
  const fitting = Object.keys(columns).filter((name) => canStore(part, columns[name]!))
  const { [part.id]: chosen, ...others } = table.columns
  const set = (value: string | null) => {
    const column = value === 'none' ? null : value!.slice(1)
    const changed = value === 'new' ? others : { ...others, [part.id]: column }
    change({ table: { ...table, columns: changed } })
  }
  return (
    <Select
      label={label}
      allowDeselect={false}
      error={useFault(`table.columns.${part.id}`, label)}
      data={[
        { value: 'new', label: t.newColumn },
        ...fitting.map((name) => ({ value: `=${name}`, label: name })),
        ...(part.isNeeded ? [] : [{ value: 'none', label: t.notStored }]),
      ]}
      value={toOption(chosen)}
      onChange={set}
    />
  )
}

function toOption(column: string | null | undefined): string {
  if (column === undefined) return 'new'
  return column === null ? 'none' : `=${column}`
}

/** The columns by which an order is found. */
function OrderColumns() {
  const { answers, change, tables } = useWizardForm()
  const { table, numberColumn, checkColumn } = answers as OrderAnswers
  const faults = {
    number: useFault('numberColumn', t.numberColumn),
    check: useFault('checkColumn', t.checkColumn),
  }
  if (table.kind !== 'existing')
    return (
      <TextInput
        label={t.checkColumn}
        description={t.checkHint}
        value={checkColumn}
        error={faults.check}
        onChange={(event) => change({ checkColumn: event.currentTarget.value })}
      />
    )
  const names = Object.keys(tables.find(({ name }) => name === table.name)?.columns ?? {})
  const data = names.map((name) => ({ value: `=${name}`, label: name }))
  return (
    <>
      <Select
        label={t.numberColumn}
        allowDeselect={false}
        error={faults.number}
        data={data}
        value={`=${numberColumn}`}
        onChange={(chosen) => change({ numberColumn: chosen!.slice(1) })}
      />
      <Select
        label={t.checkColumn}
        description={t.checkHint}
        allowDeselect={false}
        error={faults.check}
        data={[{ value: '=', label: t.noCheck }, ...data]}
        value={`=${checkColumn}`}
        onChange={(chosen) => change({ checkColumn: chosen!.slice(1) })}
      />
    </>
  )
}

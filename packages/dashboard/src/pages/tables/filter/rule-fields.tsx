// One rule of the filter builder: column, operator, and the input that fits both.
import { ActionIcon, Checkbox, Group, Select, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IconX } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import { type ColumnType, isJsonType } from '../columns.ts'
import type { FilterRule, Operator } from './filter-tree.ts'
import {
  type FilterColumn,
  findColumn,
  inputKind,
  partsOfDate,
  toDateValue,
  toInnerPath,
  toOperators,
  toText,
  toValue,
  withOperator,
} from './operators.ts'

const t = texts.tableViews.filter

interface RuleFieldsProps {
  rule: FilterRule
  columns: FilterColumn[]
  onChange: (rule: FilterRule) => void
  onRemove: () => void
}

export function RuleFields({ rule, columns, onChange, onRemove }: RuleFieldsProps) {
  const column = findColumn(columns, rule.path) ?? {
    name: rule.path,
    type: 'string' as const,
  }
  const hasInside = isJsonType(column.type)
  const names = columns.map(({ name }) => name)
  const choose = (name: string) => {
    const type = columns.find((one) => one.name === name)?.type ?? 'string'
    const fits = toOperators(type, 'eq').includes(rule.op) && type === column.type
    onChange({
      ...(fits ? rule : withOperator({ ...rule, value: '' }, 'eq')),
      path: name,
    })
  }
  return (
    <Group gap="xs" align="start" role="group" aria-label={t.rule(column.name)}>
      <Select
        aria-label={t.column}
        w={160}
        data={names.includes(column.name) ? names : [column.name, ...names]}
        value={column.name}
        allowDeselect={false}
        searchable={names.length > 8}
        onChange={(name) => name && choose(name)}
      />
      {hasInside && (
        <TextInput
          aria-label={t.inside}
          placeholder={t.insideHint}
          w={130}
          value={toInnerPath(rule.path, column)}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...rule, path: value ? `${column.name}.${value}` : column.name })
          }
        />
      )}
      <Select
        aria-label={t.operator}
        w={190}
        data={toOperators(column.type, rule.op).map((op) => ({
          value: op,
          label: toLabel(op, column.type),
        }))}
        value={rule.op}
        allowDeselect={false}
        onChange={(op) =>
          op && onChange(withBound(withOperator(rule, op as Operator), column.type))
        }
      />
      <RuleValue rule={rule} type={column.type} onChange={onChange} />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t.removeRule(column.name)}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden="true" />
      </ActionIcon>
    </Group>
  )
}

/** A day follows its operator. */
function withBound(rule: FilterRule, type: ColumnType): FilterRule {
  const { day, time } = partsOfDate(rule.value)
  if (type !== 'date' || day === '' || time !== '') return rule
  return { ...rule, value: toDateValue(day, time, rule.op) }
}

const toLabel = (op: Operator, type: ColumnType) =>
  type === 'date' && op in t.dateOperators
    ? t.dateOperators[op as keyof typeof t.dateOperators]
    : t.operators[op]

interface RuleValueProps {
  rule: FilterRule
  type: ColumnType
  onChange: (rule: FilterRule) => void
}

function RuleValue({ rule, type, onChange }: RuleValueProps) {
  const set = (value: unknown) => onChange({ ...rule, value })
  switch (inputKind(rule.op)) {
    case 'none':
      return null
    case 'list':
      return <ListInput values={rule.value as unknown[]} type={type} onChange={set} />
    case 'pair':
      return <PairInput pair={rule.value as unknown[]} onChange={set} />
    case 'count':
      return (
        <TypedInput label={t.value} value={rule.value} type="number" onChange={set} />
      )
    case 'text':
      return (
        <>
          <TypedInput label={t.value} value={rule.value} type="string" onChange={set} />
          <Checkbox
            mt={8}
            label={t.ignoreCase}
            checked={rule.ignoreCase}
            onChange={(event) =>
              onChange({ ...rule, ignoreCase: event.currentTarget.checked })
            }
          />
        </>
      )
    case 'value':
      return (
        <TypedInput
          label={t.value}
          value={rule.value}
          type={type}
          op={rule.op}
          onChange={set}
        />
      )
  }
}

interface TypedInputProps {
  label: string
  /** Shows the label. */
  isLabelled?: boolean
  value: unknown
  type: ColumnType
  op?: Operator
  onChange: (value: unknown) => void
}

/** An input for a value of a column. Times are UTC. */
export function TypedInput({
  label,
  isLabelled,
  value,
  type,
  op,
  onChange,
}: TypedInputProps) {
  const named = isLabelled ? { label } : { 'aria-label': label }
  const [typed, setTyped] = useState(() => toText(value, type))
  if (type === 'boolean')
    return (
      <Select
        {...named}
        w={120}
        data={[
          { value: 'true', label: t.yes },
          { value: 'false', label: t.no },
        ]}
        value={value === '' ? null : String(value)}
        allowDeselect={false}
        onChange={(chosen) => onChange(chosen === 'true')}
      />
    )
  if (type === 'date')
    return (
      <DateInput
        {...named}
        {...partsOfDate(value)}
        onChange={(day, time) => onChange(toDateValue(day, time, op))}
      />
    )
  // The text stays as it was typed, although `1.` and `1` are the same number.
  const text = toValue(typed, type) === value ? typed : toText(value, type)
  return (
    <TextInput
      {...named}
      placeholder={isJsonType(type) ? t.jsonHint : undefined}
      inputMode={type === 'number' ? 'decimal' : undefined}
      style={{ flex: 1, minWidth: 140 }}
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next)
        onChange(toValue(next, type))
      }}
    />
  )
}

interface DateInputProps {
  label?: string
  'aria-label'?: string
  day: string
  time: string
  onChange: (day: string, time: string) => void
}

function DateInput({ day, time, onChange, ...named }: DateInputProps) {
  return (
    <Group gap={6} align="end" wrap="nowrap">
      <TextInput
        {...named}
        type="date"
        w={150}
        value={day}
        onChange={({ currentTarget: { value } }) => onChange(value, time)}
      />
      <TextInput
        aria-label={t.time}
        title={t.time}
        type="time"
        w={140}
        value={time}
        disabled={day === ''}
        onChange={({ currentTarget: { value } }) => onChange(day, value)}
        rightSection={<span aria-hidden="true">UTC</span>}
        rightSectionWidth={44}
      />
    </Group>
  )
}

interface ListInputProps {
  values: unknown[]
  type: ColumnType
  onChange: (values: unknown[]) => void
}

function ListInput({ values, type, onChange }: ListInputProps) {
  const shown = (value: unknown) => (value === null ? t.noValue : toText(value, type))
  return (
    <TagsInput
      aria-label={t.values}
      placeholder={values.length === 0 ? t.valuesHint : undefined}
      style={{ flex: 1, minWidth: 180 }}
      splitChars={type === 'string' || isJsonType(type) ? [] : [',', ';', ' ']}
      value={values.map(shown)}
      onChange={(typed) =>
        onChange(typed.map((text) => (text === t.noValue ? null : toValue(text, type))))
      }
    />
  )
}

function PairInput({
  pair,
  onChange,
}: {
  pair: unknown[]
  onChange: (pair: unknown[]) => void
}) {
  return (
    <>
      <TypedInput
        label={t.divisor}
        value={pair[0]}
        type="number"
        onChange={(divisor) => onChange([divisor, pair[1]])}
      />
      <TypedInput
        label={t.remainder}
        value={pair[1]}
        type="number"
        onChange={(remainder) => onChange([pair[0], remainder])}
      />
    </>
  )
}

// Results of groups: their names in responses, and the operations that fit a column.
import { texts } from '../../../texts/texts.ts'
import type { FilterColumn } from '../filter/operators.ts'
import type { Grouping, Operation } from '../row-view.ts'

export interface GroupResult {
  field: string
  operation: Operation
}

export const toResults = (group: Grouping): GroupResult[] =>
  Object.entries(group).flatMap(([field, wanted]) =>
    wanted.map((operation) => ({ field, operation })),
  )

export function toGrouping(results: GroupResult[]): Grouping {
  const group = new Map<string, Operation[]>()
  for (const { field, operation } of results)
    group.set(field, [...new Set([...(group.get(field) ?? []), operation])])
  return Object.fromEntries(group)
}

/** As the server names it: `priceSum`. */
export const resultName = ({ field, operation }: GroupResult) =>
  `${field}${operation[0]!.toUpperCase()}${operation.slice(1)}`

const t = texts.tableViews.group

export const operationLabel = ({ field, operation }: GroupResult) =>
  field === 'id' && operation === 'count' ? t.rowCount : t.operations[operation]

const always = ['key', 'count', 'min', 'max', 'unique'] as const

export const operationsFor = ({ type }: FilterColumn): Operation[] =>
  type === 'number' || type === 'object' || type === 'array'
    ? ['key', 'count', 'sum', 'avg', 'min', 'max', 'unique']
    : [...always]

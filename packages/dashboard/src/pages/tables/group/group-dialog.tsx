// Chooses the columns to group by, and the results for each group.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { IconPlus } from '../../../icons/icons.tsx'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { texts } from '../../../texts/texts.ts'
import { ChoiceRow } from '../choice-row.tsx'
import type { GridColumn } from '../columns.ts'
import { filterColumns } from '../filter/operators.ts'
import type { Operation, ViewState } from '../row-view.ts'
import {
  type GroupResult,
  operationLabel,
  operationsFor,
  toGrouping,
  toResults,
} from './results.ts'

const t = texts.tableViews.group
/** Of the API. */
const maxResults = 50

/** Keeps the focus while a choice changes. */
type KeyedResult = GroupResult & { key: number }

let lastKey = 0
const keyed = (result: GroupResult): KeyedResult => ({ ...result, key: ++lastKey })

interface GroupDialogProps {
  columns: GridColumn[]
  state: ViewState
  onClose: () => void
}

function toChoices(field: string, operations: Operation[]) {
  const [key, ...others] = operations.map((operation) => ({
    value: operation,
    label: operationLabel({ field, operation }),
  }))
  return [key!, { group: t.calculate, items: others }]
}

const countByKey = (field: string): GroupResult[] => [
  { field, operation: 'key' },
  { field: 'id', operation: 'count' },
]

export function GroupDialog({
  columns,
  state: { group, set },
  onClose,
}: GroupDialogProps) {
  const known = filterColumns(columns)
  // Most calculations need numbers.
  const calculated =
    known.find((column) => operationsFor(column).includes('sum')) ?? known[0]!
  const [results, setResults] = useState<KeyedResult[]>(() =>
    (group ? toResults(group) : countByKey(known[0]!.name)).map(keyed),
  )
  const replace = (at: number, result: GroupResult) =>
    setResults(results.map((one, i) => (i === at ? { ...one, ...result } : one)))
  const choicesFor = (field: string) =>
    operationsFor(
      known.find(({ name }) => name === field) ?? { name: field, type: 'object' },
    )
  const choose = (at: number, field: string) => {
    const { operation } = results[at]!
    const fits = choicesFor(field).includes(operation)
    replace(at, { field, operation: fits ? operation : 'count' })
  }
  const apply = () => {
    set({ group: toGrouping(results) })
    onClose()
  }
  return (
    <FormModal
      title={t.title}
      action={{ mutate: apply }}
      button={t.apply}
      isReady={results.length > 0}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t.hint}
      </Text>
      {results.map((result, n) => (
        <ChoiceRow
          key={result.key}
          first={{
            label: t.operation(n + 1),
            value: result.operation,
            data: toChoices(result.field, choicesFor(result.field)),
            onChange: (operation) =>
              replace(n, { ...result, operation: operation as Operation }),
          }}
          second={{
            label: t.column(n + 1),
            value: result.field,
            data: [...new Set([...known.map(({ name }) => name), result.field])],
            onChange: (field) => choose(n, field),
          }}
          removeLabel={t.remove(n + 1)}
          onRemove={() => setResults(results.filter((_, i) => i !== n))}
        />
      ))}
      {results.length < maxResults && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() =>
            setResults([
              ...results,
              keyed({ field: calculated.name, operation: 'count' }),
            ])
          }
        >
          {t.add}
        </Button>
      )}
    </FormModal>
  )
}

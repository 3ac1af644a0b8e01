// Changes of columns. Each dialog shows the effect on the values before it is applied.
import type { Row, Table } from '@botstead/contract'
import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { editedText } from '../grid/cell-values.ts'
import { resultName } from '../group/results.ts'
import { AddColumn } from './add-column.tsx'
import { ConvertColumn } from './convert-column.tsx'
import { useTableChange } from './table-change.ts'

const t = texts.tableViews.column

export type ColumnAction =
  | { kind: 'add' }
  | { kind: 'rename' | 'convert' | 'delete' | 'userId'; column: string }

interface ColumnDialogProps {
  table: Table
  rows: number
  action: ColumnAction
  onClose: () => void
}

export function ColumnDialog({ table, rows, action, onClose }: ColumnDialogProps) {
  switch (action.kind) {
    case 'add':
      return <AddColumn {...{ table, rows, onClose }} />
    case 'rename':
      return <RenameColumn {...{ table, column: action.column, onClose }} />
    case 'convert':
      return <ConvertColumn {...{ table, column: action.column, onClose }} />
    case 'userId':
      return <UserIdColumn {...{ table, column: action.column, onClose }} />
    case 'delete':
      return <DeleteColumn {...{ table, column: action.column, onClose }} />
  }
}

interface ChangeProps {
  table: Table
  column: string
  onClose: () => void
}

function RenameColumn({ table, column, onClose }: ChangeProps) {
  const { client } = useBot()
  const [newName, setNewName] = useState(column)
  const rename = useTableChange(
    () =>
      client.tables.renameTableColumn({
        params: { table: table.id },
        body: { name: column, newName: newName.trim() },
      }),
    { done: t.renamed, onClose },
  )
  return (
    <FormModal
      title={t.rename}
      action={rename}
      button={texts.common.save}
      onClose={onClose}
    >
      <TextInput
        label={t.name}
        description={t.renameHint}
        value={newName}
        onChange={(event) => setNewName(event.currentTarget.value)}
        maxLength={30}
        data-autofocus
        required
      />
    </FormModal>
  )
}

/** Exports and erasures of a person find the rows by such a column. */
function UserIdColumn({ table, column, onClose }: ChangeProps) {
  const { client } = useBot()
  const schema = table.schema.properties[column]!
  const [hasIds, setIds] = useState(schema['x-zui'].userId === true)
  const change = useTableChange(
    () =>
      client.tables.updateTable({
        params: { table: table.id },
        body: {
          schema: {
            type: 'object',
            properties: {
              [column]: { ...schema, 'x-zui': { ...schema['x-zui'], userId: hasIds } },
            },
          },
        },
      }),
    { done: t.userIdChanged, onClose },
  )
  return (
    <FormModal
      title={t.userId}
      action={change}
      button={texts.common.save}
      onClose={onClose}
    >
      <Checkbox
        label={t.hasUserIds(column)}
        description={t.userIdHint}
        checked={hasIds}
        onChange={(event) => setIds(event.currentTarget.checked)}
        data-autofocus
      />
    </FormModal>
  )
}

const maxExamples = 5

function DeleteColumn({ table, column, onClose }: ChangeProps) {
  const { botId, client } = useBot()
  const params = { table: table.id }
  const countName = resultName({ field: column, operation: 'count' })
  const query = useQuery({
    queryKey: ['tables', botId, table.id, 'values', column],
    queryFn: async ({ signal }) => {
      const find = (body: object) =>
        client.tables.findTableRows({ params, body }, { signal })
      const { rows } = await find({ group: { [column]: 'count' } })
      const { rows: examples } = await find({
        filter: { [column]: { $exists: true } },
        limit: maxExamples,
      })
      return {
        count: Number((rows[0] as Record<string, unknown> | undefined)?.[countName] ?? 0),
        examples,
      }
    },
  })
  const remove = useTableChange(
    () =>
      client.tables.updateTable({
        params,
        body: { schema: { type: 'object', properties: { [column]: null } } },
      }),
    { done: t.deleted, onClose },
  )
  const dependents = Object.entries(table.schema.properties).flatMap(
    ([name, { 'x-zui': notes }]) =>
      notes.computed?.dependencies?.includes(column) ? [name] : [],
  )
  return (
    <FormModal
      title={t.delete}
      action={remove}
      button={t.delete}
      isDangerous
      isReady={dependents.length === 0 && query.data !== undefined}
      onClose={onClose}
    >
      <Loaded query={query}>
        {({ count, examples }) => (
          <Stack gap={4}>
            <Text>{t.deletes(count)}</Text>
            {(examples as Row[]).map((row) => (
              <Text key={row.id} size="sm" className="foreign" lineClamp={2}>
                {editedText(row[column])}
              </Text>
            ))}
          </Stack>
        )}
      </Loaded>
      {table.keyColumn === column && <Text>{t.isKey}</Text>}
      {dependents.length > 0 && <Text c="var(--bad)">{t.usedBy(dependents)}</Text>}
      <Text size="sm" c="dimmed">
        {t.final}
      </Text>
    </FormModal>
  )
}

// Creates a table with its columns, and opens it.
import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { FormModal } from '../../parts/forms/form-modal.tsx'
import { texts } from '../../texts/texts.ts'
import { ColumnFields, newColumn } from './column-fields.tsx'
import { toSchema, toTableName } from './columns.ts'

const t = texts.tables

export function CreateTable({ onClose }: { onClose: () => void }) {
  const { workspaceId, botId, client } = useBot()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [columns, setColumns] = useState(() => [newColumn()])
  const named = columns.filter((column) => column.name.trim() !== '')
  const create = useMutation({
    mutationFn: () =>
      client.tables.createTable({
        body: {
          name: toTableName(name),
          schema: {
            type: 'object',
            properties: Object.fromEntries(
              named.map((column) => [column.name.trim(), toSchema(column.type)]),
            ),
          },
        },
      }),
    onSuccess: async ({ table }) => {
      await queries.invalidateQueries({ queryKey: ['tables', botId] })
      // Its page has its heading at once, which gets the focus.
      queries.setQueryData(['tables', botId, table.id, 'table'], { table, rows: 0 })
      await navigate({
        to: '/w/$workspaceId/bots/$botId/tables/$tableId',
        params: { workspaceId, botId, tableId: table.id },
      })
    },
  })
  return (
    <FormModal
      title={t.new}
      size="lg"
      action={create}
      button={texts.common.create}
      isReady={name.trim() !== '' && named.length > 0}
      onClose={onClose}
    >
      <TextInput
        label={t.name}
        description={name.trim() ? t.nameHint(toTableName(name)) : undefined}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        data-autofocus
        required
      />
      <ColumnFields columns={columns} onChange={setColumns} />
    </FormModal>
  )
}

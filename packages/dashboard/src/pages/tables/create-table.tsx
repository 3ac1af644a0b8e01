// Creates a table with its columns, and opens it.
import { Modal, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { FormButtons } from '../../parts/form-buttons.tsx'
import { Failed } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { ColumnFields, newColumn } from './column-fields.tsx'
import { schemaOf, toTableName } from './columns.ts'

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
              named.map((column) => [column.name.trim(), schemaOf(column.type)]),
            ),
          },
        },
      }),
    onSuccess: async ({ table }) => {
      await queries.invalidateQueries({ queryKey: ['tables', botId] })
      await navigate({
        to: '/w/$workspaceId/bots/$botId/tables/$tableId',
        params: { workspaceId, botId, tableId: table.id },
      })
    },
  })
  const isReady = name.trim() !== '' && named.length > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) create.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={t.new} size="lg">
      <form onSubmit={submit}>
        <Stack>
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
          {create.error && <Failed error={create.error} />}
          <FormButtons onCancel={onClose} disabled={!isReady} loading={create.isPending}>
            {texts.common.create}
          </FormButtons>
        </Stack>
      </form>
    </Modal>
  )
}

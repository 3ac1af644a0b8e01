// Adds a column, with a value for the rows that the table has.
import type { Table } from '@botstead/contract'
import { Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { notifyDone } from '../../../parts/notify.ts'
import { texts } from '../../../texts/texts.ts'
import { typeChoices } from '../column-fields.tsx'
import { type ColumnType, toSchema } from '../columns.ts'
import { TypedInput } from '../filter/rule-fields.tsx'
import { JobDialog } from './job-dialog.tsx'

const t = texts.tableViews.column

interface AddColumnProps {
  table: Table
  rows: number
  onClose: () => void
}

export function AddColumn({ table, rows, onClose }: AddColumnProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [type, setType] = useState<ColumnType>('string')
  const [value, setValue] = useState<unknown>('')
  const params = { table: table.id }
  const add = useMutation({
    mutationFn: async () => {
      const column = name.trim()
      // A column of this name would be changed.
      if (!Object.hasOwn(table.schema.properties, column))
        await client.tables.updateTable({
          params,
          body: { schema: { type: 'object', properties: { [column]: toSchema(type) } } },
        })
      if (value === '' || rows === 0) return null
      const body = { filter: {}, values: { [column]: value } }
      return (await client.platform.changeTableRows({ params, body })).job.id
    },
    onSuccess: async (jobId) => {
      await queries.invalidateQueries({ queryKey: ['tables', botId] })
      if (jobId !== null) return
      notifyDone(t.added)
      onClose()
    },
  })
  const { running, changed } = texts.tableViews.bulk
  return (
    <JobDialog
      title={t.add}
      start={add}
      progress={{ tableId: table.id, label: running, done: changed }}
      button={t.add}
      onClose={onClose}
    >
      <TextInput
        label={t.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={30}
        data-autofocus
        required
      />
      <Select
        label={t.type}
        data={typeChoices}
        value={type}
        allowDeselect={false}
        onChange={(chosen) => {
          setType(chosen as ColumnType)
          setValue('')
        }}
      />
      {rows > 0 && (
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            {t.default}
          </Text>
          <TypedInput
            key={type}
            label={t.default}
            value={value}
            type={type}
            onChange={setValue}
          />
          <Text size="xs" c="dimmed">
            {t.defaultHint(rows)}
          </Text>
        </Stack>
      )}
    </JobDialog>
  )
}

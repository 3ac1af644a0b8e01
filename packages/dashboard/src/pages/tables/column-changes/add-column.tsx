// Adds a column, with a value for the rows that the table has.
import type { Table } from '@botstead/contract'
import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { FormButtons } from '../../../parts/form-buttons.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import { Failed } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { typeChoices } from '../column-fields.tsx'
import { type ColumnType, schemaOf } from '../columns.ts'
import { TypedInput } from '../filter/rule-fields.tsx'
import { JobProgress } from '../job-progress.tsx'

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
          body: { schema: { type: 'object', properties: { [column]: schemaOf(type) } } },
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={t.add}>
      {add.data ? (
        <Stack>
          <JobProgress
            {...{ tableId: table.id, jobId: add.data, label: texts.tableViews.bulk.running }}
            done={texts.tableViews.bulk.changed}
          />
          <Group justify="flex-end">
            <Button onClick={onClose}>{texts.common.close}</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
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
            {add.error && <Failed error={add.error} />}
            <FormButtons onCancel={onClose} loading={add.isPending}>
              {t.add}
            </FormButtons>
          </Stack>
        </form>
      )}
    </Modal>
  )
}

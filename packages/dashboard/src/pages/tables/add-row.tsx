// A form for a new row: one field for each column that is not computed.
import { Select, Stack, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { FormModal } from '../../parts/forms/form-modal.tsx'
import { InputError } from '../../parts/forms/input-error.ts'
import { notifyDone } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'
import type { GridColumn } from './columns.ts'
import { parseCell } from './grid/cell-values.ts'

const t = texts.tables

interface AddRowProps {
  tableId: string
  columns: GridColumn[]
  onAdded: () => void
  onClose: () => void
}

export function AddRow({ tableId, columns, onAdded, onClose }: AddRowProps) {
  const { client } = useBot()
  const [typed, setTyped] = useState<Record<string, string>>({})
  const given = columns.filter(({ isComputed }) => !isComputed)
  const add = useMutation({
    mutationFn: async () => {
      const row = Object.fromEntries(
        given.map((column) => [column.name, cellValue(column, typed)]),
      )
      const { errors } = await client.tables.createTableRows({
        params: { table: tableId },
        body: { rows: [row] },
      })
      if (errors?.[0]) throw new InputError(errors[0].replace(/^rows\[0\]: /, ''))
    },
    onSuccess: () => {
      notifyDone(t.rowAdded)
      onAdded()
      onClose()
    },
  })
  return (
    <FormModal title={t.newRow} action={add} button={t.addRow} onClose={onClose}>
      <Stack gap="xs">
        {given.map((column) => (
          <CellField
            key={column.name}
            column={column}
            value={typed[column.name] ?? ''}
            onChange={(value) => setTyped({ ...typed, [column.name]: value })}
          />
        ))}
      </Stack>
    </FormModal>
  )
}

function cellValue(column: GridColumn, typed: Record<string, string>): unknown {
  const parsed = parseCell(typed[column.name] ?? '', column)
  if ('wrong' in parsed) throw new InputError(column.name, parsed.wrong)
  return parsed.value ?? undefined
}

interface CellFieldProps {
  column: GridColumn
  value: string
  onChange: (value: string) => void
  label?: string
}

export function CellField({
  column,
  value,
  onChange,
  label = column.name,
}: CellFieldProps) {
  if (column.type === 'boolean')
    return (
      <Select
        label={label}
        data={['true', 'false']}
        value={value || null}
        onChange={(chosen) => onChange(chosen ?? '')}
        clearable
        clearButtonProps={{ 'aria-label': t.grid.discard }}
      />
    )
  return (
    <Textarea
      label={label}
      description={t.types[column.type]}
      placeholder={column.type === 'date' ? t.grid.dateHint : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={1}
      maxRows={6}
    />
  )
}

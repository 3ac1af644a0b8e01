// Names and types of new columns.
import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import { type ColumnType, columnTypes } from './columns.ts'

const t = texts.tables

export interface NewColumn {
  key: number
  name: string
  type: ColumnType
}

const maxColumns = 20
export const typeChoices = columnTypes.map((value) => ({ value, label: t.types[value] }))

let lastKey = 0
export const newColumn = (): NewColumn => ({ key: ++lastKey, name: '', type: 'string' })

interface ColumnFieldsProps {
  columns: NewColumn[]
  onChange: (columns: NewColumn[]) => void
}

export function ColumnFields({ columns, onChange }: ColumnFieldsProps) {
  const change = (key: number, changes: Partial<NewColumn>) =>
    onChange(columns.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  return (
    <Stack gap="xs" role="group" aria-label={t.columns}>
      {columns.map(({ key, name, type }, index) => (
        <Group key={key} gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            style={{ flex: 1 }}
            label={index === 0 && t.column}
            aria-label={t.columnName(index + 1)}
            placeholder={t.columnExample}
            value={name}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
            maxLength={30}
          />
          <Select
            w={150}
            label={index === 0 && t.type}
            aria-label={t.columnType(index + 1)}
            data={typeChoices}
            value={type}
            allowDeselect={false}
            onChange={(chosen) => change(key, { type: chosen as ColumnType })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t.removeColumn(index + 1)}
            onClick={() => onChange(columns.filter((one) => one.key !== key))}
          >
            <IconX size={16} aria-hidden="true" />
          </ActionIcon>
        </Group>
      ))}
      {columns.length < maxColumns && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => onChange([...columns, newColumn()])}
        >
          {t.addColumn}
        </Button>
      )}
    </Stack>
  )
}

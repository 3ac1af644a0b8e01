// The columns of a file with examples: where each is imported, and with which type.
import type { Table } from '@botstead/contract'
import {
  Alert,
  Button,
  Table as Grid,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { Failed } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { typeChoices } from '../column-fields.tsx'
import { type ColumnType, toColumns, toSchema, toTableName } from '../columns.ts'
import {
  extraRows,
  initialMapping,
  type Mapped,
  maxColumns,
  nameOfFile,
  newName,
  type Preview,
  wrongName,
} from './mapping.ts'

const t = texts.tables.import

interface ColumnMappingProps {
  table: Table | undefined
  preview: Preview
  onStarted: (job: { tableId: string; jobId: string }) => void
  onBack: () => void
}

export function ColumnMapping({ table, preview, onStarted, onBack }: ColumnMappingProps) {
  const [name, setName] = useState(() => nameOfFile(preview.fileName))
  const [mapping, setMapping] = useState(() => initialMapping(preview, table))
  const start = useStart({ table, name, mapping, preview, onStarted })
  const chosen = mapping.filter(({ column }) => column !== null)
  const extra = extraRows(preview, mapping)
  const isNamed = !mapping.some((one) => wrongName(one, mapping))
  const isReady =
    chosen.length > 0 && isNamed && (table !== undefined || toTableName(name) !== '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) start.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" className="foreign">
          {t.found(preview.fileName, preview.columns.length)}{' '}
          {t.foundRows(preview.count, preview.isCountComplete)} {t.check}
        </Text>
        {!table && (
          <TextInput
            label={t.newTable}
            description={texts.tables.nameHint(toTableName(name))}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={100}
            required
          />
        )}
        <Text size="sm" c="dimmed">
          {t.leavesOut} {t.fileKept}
        </Text>
        {extra > 0 && (
          <Alert color="yellow" role="note">
            {t.extraRows(extra, preview.hasMore)}
          </Alert>
        )}
        <MappingTable table={table} mapping={mapping} onChange={setMapping} />
        {chosen.length > maxColumns && (
          <Text c="var(--bad)">{t.tooMany(maxColumns)}</Text>
        )}
        {start.error && <Failed error={start.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack}>
            {t.otherFile}
          </Button>
          <Button type="submit" disabled={!isReady} loading={start.isPending}>
            {t.start}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface Start extends Pick<ColumnMappingProps, 'table' | 'preview' | 'onStarted'> {
  name: string
  mapping: Mapped[]
}

/** Creates the table or its new columns, then starts the job. */
function useStart({ table, name, mapping, preview, onStarted }: Start) {
  const { client } = useBot()
  const [created, setCreated] = useState<string | null>(null)
  return useMutation({
    mutationFn: async () => {
      const chosen = mapping.filter(({ column }) => column !== null)
      const properties = Object.fromEntries(
        chosen
          .filter(({ isNew }) => isNew)
          .map(({ column, type }) => [column, toSchema(type)]),
      )
      const schema = { type: 'object', properties }
      let tableId = table?.id ?? created
      if (tableId && Object.keys(properties).length > 0)
        await client.tables.updateTable({ params: { table: tableId }, body: { schema } })
      if (!tableId) {
        const body = { name: toTableName(name), schema }
        tableId = (await client.tables.createTable({ body })).table.id
        // A repetition after an error below uses the same table.
        setCreated(tableId)
      }
      const columns = Object.fromEntries(
        chosen.map(({ source, column }) => [source, column!]),
      )
      const { job } = await client.platform.importTableColumns({
        params: { table: tableId },
        body: { fileId: preview.fileId, columns },
      })
      return { tableId, jobId: job.id }
    },
    onSuccess: onStarted,
  })
}

interface MappingTableProps {
  table: Table | undefined
  mapping: Mapped[]
  onChange: (mapping: Mapped[]) => void
}

const skipped = ' skip'
const added = ' new'
const toTarget = ({ column, isNew }: Mapped) =>
  isNew && column !== null ? added : (column ?? skipped)

function MappingTable({ table, mapping, onChange }: MappingTableProps) {
  const known = table ? toColumns(table).filter(({ isComputed }) => !isComputed) : []
  const targets = [
    { value: skipped, label: t.skip },
    ...(table?.frozen ? [] : [{ value: added, label: t.newColumn }]),
    ...known.map((column) => ({ value: column.name, label: column.name })),
  ]
  const change = (source: string, changes: Partial<Mapped>) =>
    onChange(mapping.map((one) => (one.source === source ? { ...one, ...changes } : one)))
  const choose = (one: Mapped, value: string) => {
    const column = known.find((candidate) => candidate.name === value)
    if (column) change(one.source, { column: value, isNew: false, type: column.type })
    else
      change(one.source, {
        column: value === added ? newName(one.source) : null,
        isNew: true,
      })
  }
  const isPhone = useMediaQuery('(max-width: 640px)') ?? false
  const head = isPhone ? [t.columns] : [t.source, t.target, t.type]
  return (
    <Grid.ScrollContainer
      minWidth={isPhone ? 0 : 560}
      mah="50vh"
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t.columns } }}
    >
      <Grid layout={isPhone ? 'fixed' : 'auto'}>
        <Grid.Thead>
          <Grid.Tr>
            {head.map((title) => (
              <Grid.Th key={title}>{title}</Grid.Th>
            ))}
          </Grid.Tr>
        </Grid.Thead>
        <Grid.Tbody>
          {mapping.map((one) => (
            <MappingRow
              key={one.source}
              {...{ one, mapping, targets, isPhone }}
              onTarget={(value) => choose(one, value)}
              onChange={(changes) => change(one.source, changes)}
            />
          ))}
        </Grid.Tbody>
      </Grid>
    </Grid.ScrollContainer>
  )
}

interface MappingRowProps {
  one: Mapped
  mapping: Mapped[]
  targets: { value: string; label: string }[]
  /** One cell has all fields. */
  isPhone: boolean
  onTarget: (value: string) => void
  onChange: (changes: Partial<Mapped>) => void
}

function MappingRow({
  one,
  mapping,
  targets,
  isPhone,
  onTarget,
  onChange,
}: MappingRowProps) {
  const named = (label: string) => (isPhone ? { label } : { 'aria-label': label })
  const source = (
    <>
      <Text size="sm" fw={600} className="foreign one-line">
        {one.source}
      </Text>
      <Text size="xs" c="dimmed" className="foreign one-line" title={one.example}>
        {one.example}
      </Text>
    </>
  )
  const target = (
    <>
      <Select
        {...named(t.targetOf(one.source))}
        data={targets}
        value={toTarget(one)}
        allowDeselect={false}
        onChange={(value) => onTarget(value ?? skipped)}
      />
      {one.isNew && one.column !== null && (
        <TextInput
          mt={4}
          {...named(t.nameOf(one.source))}
          value={one.column}
          error={wrongName(one, mapping)}
          description={
            newName(one.source) !== one.source && t.renamed(one.source, one.column)
          }
          onChange={(event) => onChange({ column: event.currentTarget.value })}
        />
      )}
    </>
  )
  const type = (
    <Select
      {...named(t.typeOf(one.source))}
      data={typeChoices}
      value={one.type}
      allowDeselect={false}
      disabled={one.column === null || !one.isNew}
      onChange={(value) => onChange({ type: value as ColumnType })}
    />
  )
  if (isPhone)
    return (
      <Grid.Tr>
        <Grid.Td>
          {source}
          {target}
          {type}
        </Grid.Td>
      </Grid.Tr>
    )
  return (
    <Grid.Tr>
      <Grid.Td maw={220}>{source}</Grid.Td>
      <Grid.Td>{target}</Grid.Td>
      <Grid.Td>{type}</Grid.Td>
    </Grid.Tr>
  )
}

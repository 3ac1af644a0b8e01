// Changes the type of a column, after a preview of its values.
import type { Output, platform, Table } from '@botstead/contract'
import { Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { Grid } from '../../../parts/grid.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { typeChoices } from '../column-fields.tsx'
import { type ColumnType, toColumns } from '../columns.ts'
import { shownText } from '../grid/cell-values.ts'
import { JobDialog } from './job-dialog.tsx'

const t = texts.tableViews.column

interface ConvertColumnProps {
  table: Table
  column: string
  onClose: () => void
}

export function ConvertColumn({ table, column, onClose }: ConvertColumnProps) {
  const { client } = useBot()
  const current = toColumns(table).find(({ name }) => name === column)?.type
  const [type, setType] = useState<ColumnType | null>(null)
  const query = usePreview(table.id, column, type)
  const convert = useMutation({
    mutationFn: async () => {
      const body = { column, type: type! }
      return (
        await client.platform.convertTableColumn({ params: { table: table.id }, body })
      ).job.id
    },
  })
  const label = typeChoices.find(({ value }) => value === type)?.label ?? ''
  return (
    <JobDialog
      title={texts.common.labelled(t.convert, column)}
      size="lg"
      start={convert}
      progress={{
        tableId: table.id,
        label: t.running,
        done: () => t.done(column, label),
        leftOutHint: t.notConvertible,
      }}
      button={t.start}
      isDangerous={!!query.data?.failed}
      isReady={query.data !== undefined}
      onClose={onClose}
    >
      <Select
        label={t.newType}
        data={typeChoices.filter(({ value }) => value !== current)}
        value={type}
        allowDeselect={false}
        onChange={(chosen) => setType(chosen as ColumnType)}
        data-autofocus
      />
      {type && query.isLoading && <Text role="status">{t.reading}</Text>}
      {type && !query.isLoading && (
        <Loaded query={query}>
          {(preview) => <Preview preview={preview} from={current} to={type} />}
        </Loaded>
      )}
    </JobDialog>
  )
}

function usePreview(tableId: string, column: string, type: ColumnType | null) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['tables', botId, tableId, 'conversion', column, type],
    queryFn: ({ signal }) =>
      client.platform.previewColumnConversion(
        { params: { table: tableId }, body: { column, type: type! } },
        { signal },
      ),
    enabled: type !== null,
    gcTime: 0,
  })
}

type ConversionPreview = Output<typeof platform.tableChanges.previewColumnConversion>

interface PreviewProps {
  preview: ConversionPreview
  from: ColumnType | undefined
  to: ColumnType
}

function Preview({ preview, from = 'string', to }: PreviewProps) {
  const { read, isComplete, converted, emptied, failed, examples } = preview
  const shown = [...examples.failed, ...examples.emptied, ...examples.converted]
  return (
    <Stack gap="xs">
      {converted + emptied + failed === 0 && <Text>{t.noValues}</Text>}
      {converted > 0 && <Text>{t.converted(converted)}</Text>}
      {emptied > 0 && <Text>{t.emptied(emptied)}</Text>}
      {failed > 0 && (
        <Text c="var(--bad)" fw={600}>
          {t.failed(failed)}
        </Text>
      )}
      {!isComplete && <Text>{t.partly(read)}</Text>}
      {shown.length > 0 && (
        <Grid
          label={t.newType}
          head={[t.row, t.before, t.after]}
          rows={shown.map(({ row, before, after, problem }) => [
            String(row),
            shownText(before, { type: from }),
            problem ? t.notConverted(problem) : shownText(after, { type: to }),
          ])}
        />
      )}
    </Stack>
  )
}

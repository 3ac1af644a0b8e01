// The rows that an import left out, with the reasons; as a file to correct and import again.
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../../api/scope.ts'
import { saveFile } from '../../../parts/files/save-file.ts'
import { Grid } from '../../../parts/grid.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { problemColumn, toExtraColumn, toText } from './mapping.ts'

const t = texts.tables.import

interface RejectedRow {
  place: string
  problem: string
  values: Record<string, unknown>
  extra?: string[]
}

/** The file has all. */
const maxVisible = 100

interface RejectedRowsProps {
  tableId: string
  jobId: string
  hint?: string
}

export function RejectedRows({
  tableId,
  jobId,
  hint = t.rejectedHint,
}: RejectedRowsProps) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['tables', botId, tableId, 'rejected', jobId],
    queryFn: ({ signal }) =>
      client.platform.listRejectedRows(
        { params: { table: tableId }, query: { job: jobId } },
        { signal },
      ),
  })
  return (
    <Loaded query={query}>
      {({ rows, total }) => (
        <>
          <Text size="sm">
            {hint} {t.formulaHint}
          </Text>
          <Grid
            label={t.rejected}
            head={[t.place, t.problem]}
            rows={rows.slice(0, maxVisible).map(({ place, problem }) => [place, problem])}
          />
          {total > Math.min(rows.length, maxVisible) && (
            <Text size="sm" c="dimmed">
              {t.moreRejected(Math.min(rows.length, maxVisible), total)}
            </Text>
          )}
          <Group>
            <Button
              variant="default"
              onClick={() =>
                saveFile(t.rejectedFile, new Blob([toCsv(rows)], { type: 'text/csv' }))
              }
            >
              {t.download(rows.length)}
            </Button>
          </Group>
        </>
      )}
    </Loaded>
  )
}

function toCsv(rows: RejectedRow[]): string {
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const extras = Math.max(0, ...rows.map(({ extra = [] }) => extra.length))
  const extraNames = Array.from({ length: extras }, (_, n) => toExtraColumn(n + 1))
  const lines = rows.map(({ place, problem, values, extra = [] }) => [
    ...names.map((name) => toText(values[name] ?? '')),
    ...extraNames.map((_, n) => extra[n] ?? ''),
    texts.common.labelled(place, problem),
  ])
  return [[...names, ...extraNames, problemColumn], ...lines]
    .map((line) => `${line.map(csvCell).join(',')}\r\n`)
    .join('')
}

/** Like the server's exports for spreadsheets, which would run a formula. */
const formula =
  /^(?:[\p{Z}\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]|[\t\r\n])/u
const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

function csvCell(given: string): string {
  const text = formula.test(given) && !number.test(given) ? `'${given}` : given
  return /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

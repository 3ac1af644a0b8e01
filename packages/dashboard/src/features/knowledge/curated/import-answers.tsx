// The dialog that imports curated answers from a CSV file, and shows the rows that were not imported.
import { Stack, Text } from '@mantine/core'
import { useBot } from '../../../api/scope.ts'
import { ImportDialog } from '../../../parts/forms/import-dialog.tsx'
import { texts } from '../../../texts/texts.ts'

const t = texts.curated

export function ImportAnswers({ onClose }: { onClose: () => void }) {
  const { botId, client } = useBot()
  return (
    <ImportDialog
      texts={t}
      accept=".csv,text/csv"
      load={async (file) =>
        client.platform.importCuratedAnswers({ body: { csv: await file.text() } })
      }
      changes={['fileLists', botId]}
      onClose={onClose}
    >
      {(result) => <Result {...result} />}
    </ImportDialog>
  )
}

interface ResultProps {
  created: number
  updated: number
  unchanged: number
  errors: { line: number; message: string }[]
}

const Result = ({ created, updated, unchanged, errors }: ResultProps) => (
  <Stack gap="xs" role="status">
    <Text size="sm">{t.imported(created, updated, unchanged)}</Text>
    {errors.length > 0 && (
      <>
        <Text size="sm" c="var(--bad)">
          {t.rejected(errors.length)}
        </Text>
        <ul className="problems">
          {errors.map((error) => (
            <Text key={error.line} component="li" size="sm" className="foreign">
              {t.rejectedRow(error)}
            </Text>
          ))}
        </ul>
      </>
    )}
  </Stack>
)

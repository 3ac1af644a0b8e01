// Imports a file into a new or a present table: choose the file, check its columns, follow the job.

import type { Client } from '@botstead/client'
import type { Table } from '@botstead/contract'
import { Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { FileDrop } from '../../../parts/files/file-drop.tsx'
import { storeFile } from '../../../parts/files/upload.ts'
import { Failed, Loading } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { ColumnMapping } from './column-mapping.tsx'
import { ImportProgress } from './import-progress.tsx'
import type { Preview } from './mapping.ts'

const t = texts.tables.import

interface ImportDialogProps {
  /** Undefined for a new table. */
  table?: Table
  onClose: () => void
}

export function ImportDialog({ table, onClose }: ImportDialogProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [started, setStarted] = useState<{ tableId: string; jobId: string } | null>(null)
  const preview = useMutation({ mutationFn: (file: File) => findPreview(client, file) })
  const close = () => {
    void queries.invalidateQueries({ queryKey: ['tables', botId] })
    onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      title={table ? t.into(table.name) : t.title}
      size="xl"
      closeOnClickOutside={false}
    >
      <Stack>
        {started && <ImportProgress {...started} opens={!table} onClose={close} />}
        {!started && preview.data && (
          <ColumnMapping
            table={table}
            preview={preview.data}
            onStarted={setStarted}
            onBack={preview.reset}
          />
        )}
        {!preview.data && !preview.isPending && <FileField onFile={preview.mutate} />}
        {preview.isPending && <Loading />}
        {preview.error && <Failed error={preview.error} />}
      </Stack>
    </Modal>
  )
}

/** The table has the rows then: the server deletes the file. */
const importedFileMs = 24 * 3_600_000

async function findPreview(client: Client, file: File): Promise<Preview> {
  const expiresAt = new Date(Date.now() + importedFileMs).toISOString()
  const created = await storeFile(client, file, 'imports', { expiresAt })
  const preview = await client.platform.previewTableImport({
    body: { fileId: created.id },
  })
  return { ...preview, fileId: created.id, fileName: file.name }
}

function FileField({ onFile }: { onFile: (file: File) => void }) {
  const take = ([file]: Iterable<File>) => file && onFile(file)
  return (
    <FileDrop
      isSingle
      accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.xlsx,.ods,.gz"
      onFiles={take}
      onDropped={({ files }) => take(files)}
    >
      <Text>{t.drop}</Text>
      <Text size="sm" c="dimmed">
        {t.formats}
      </Text>
    </FileDrop>
  )
}

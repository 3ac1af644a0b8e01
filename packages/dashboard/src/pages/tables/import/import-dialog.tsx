// Imports a file into a new or a present table: choose the file, check its columns, follow the job.

import type { Client } from '@botstead/client'
import type { Table } from '@botstead/contract'
import { Button, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { newId } from 'page/ids.js'
import { type DragEvent, useRef, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
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
  const preview = useMutation({ mutationFn: (file: File) => previewOf(client, file) })
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

async function previewOf(client: Client, file: File): Promise<Preview> {
  const { file: created } = await client.files.upsertFile({
    body: {
      key: `imports/${newId()}/${file.name}`,
      size: file.size,
      contentType: file.type || 'application/octet-stream',
    },
  })
  const response = await fetch(created.uploadUrl!, { method: 'PUT', body: file })
  if (!response.ok) throw new Error(`The upload failed with status ${response.status}`)
  const preview = await client.platform.previewTableImport({ body: { fileId: created.id } })
  return { ...preview, fileId: created.id, fileName: file.name }
}

function FileField({ onFile }: { onFile: (file: File) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (file: File | undefined) => file && onFile(file)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same
    <div
      className={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Stack align="center" p="xl" gap="xs" ta="center">
        <Text>{t.drop}</Text>
        <input
          ref={field}
          type="file"
          hidden
          aria-label={t.choose}
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.xlsx,.gz"
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
        <Button onClick={() => field.current?.click()}>{t.choose}</Button>
        <Text size="sm" c="dimmed">
          {t.formats}
        </Text>
      </Stack>
    </div>
  )
}

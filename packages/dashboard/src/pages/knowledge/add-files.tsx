// The dialog that adds files: which ones, and into which knowledge base.
import { Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { filesOfDrop } from '../../parts/dropped-files.ts'
import { FileDrop } from '../../parts/file-drop.tsx'
import { FormButtons } from '../../parts/form-buttons.tsx'
import { Failed } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { BaseField, useTargetBase } from './base-field.tsx'
import { type Base, useBases } from './bases.ts'
import { type ImportedFile, startImport } from './import.ts'

const t = texts.knowledge

const maxDropped = 1_000_000
/** Files of systems and tools, and their folders. */
const hidden = /(^|\/)(\.[^/]*|node_modules|Thumbs\.db)(\/|$)/

const toImported = (files: File[]): ImportedFile[] =>
  files
    .map((file) => ({ file, path: (file.webkitRelativePath || file.name).normalize() }))
    .filter(({ path }) => !hidden.test(path))

/** Reads a drop; it must begin in the event. */
export const readDrop = async (data: DataTransfer): Promise<ImportedFile[]> =>
  toImported(await filesOfDrop(data, maxDropped))

interface AddFilesProps {
  /** Files that were dropped on the page. */
  dropped: Promise<ImportedFile[]> | null
  onClose: () => void
}

export function AddFiles({ dropped, onClose }: AddFilesProps) {
  const { data: bases } = useBases()
  return (
    <Modal opened onClose={onClose} title={t.add.title} size="lg">
      {bases && <Form bases={bases} dropped={dropped} onClose={onClose} />}
    </Modal>
  )
}

function Form({ bases, dropped, onClose }: AddFilesProps & { bases: Base[] }) {
  const { workspaceId, botId } = useBot()
  const [filter, setFilter] = useFilter('base')
  const base = useTargetBase(bases, t.bases.fallback)
  const [chosen, setChosen] = useState<ImportedFile[]>([])
  const isReady = chosen.length > 0 && base.isReady
  const start = useMutation({
    mutationFn: base.resolve,
    onSuccess: (kbId) => {
      startImport({ workspaceId, botId, kbId }, chosen)
      if (filter && filter !== kbId) setFilter(kbId)
      onClose()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) start.mutate()
      }}
    >
      <Stack>
        <FileChoice dropped={dropped} chosen={chosen} onChoose={setChosen} />
        <BaseField field={base.field} />
        {start.error && <Failed error={start.error} />}
        <FormButtons onCancel={onClose} disabled={!isReady} loading={start.isPending}>
          {t.add.start}
        </FormButtons>
      </Stack>
    </form>
  )
}

interface FileChoiceProps {
  dropped: Promise<ImportedFile[]> | null
  chosen: ImportedFile[]
  onChoose: (files: ImportedFile[]) => void
}

function FileChoice({ dropped, chosen, onChoose }: FileChoiceProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (files: Promise<ImportedFile[]>) => files,
    onSuccess: onChoose,
  })
  useEffect(() => {
    if (dropped) mutate(dropped)
  }, [dropped, mutate])
  return (
    <>
      <FileDrop
        onFiles={(files) => onChoose(toImported(files))}
        onDropped={(data) => mutate(readDrop(data))}
      >
        <Text fw={600}>{toSummary(isPending, chosen.length)}</Text>
        <ChosenNames files={chosen} />
        <Text size="sm" c="dimmed">
          {t.add.hint}
        </Text>
      </FileDrop>
      {error && <Failed error={error} />}
    </>
  )
}

/** Names that are listed. */
const maxNames = 5

const ChosenNames = ({ files }: { files: ImportedFile[] }) =>
  files.length > 0 && (
    <Text size="sm" className="foreign" style={{ overflowWrap: 'anywhere' }}>
      {files
        .slice(0, maxNames)
        .map(({ path }) => path)
        .join(', ')}
      {files.length > maxNames && ` ${t.upload.more(files.length - maxNames)}`}
    </Text>
  )

function toSummary(isReading: boolean, count: number): string {
  if (isReading) return t.add.readingFolders
  return count > 0 ? t.add.chosen(count) : t.add.none
}

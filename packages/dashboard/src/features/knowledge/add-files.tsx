// The dialog that adds files: which ones, and into which knowledge base.
import { Modal, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { FileDrop } from '../../parts/files/file-drop.tsx'
import { DialogForm } from '../../parts/forms/form-modal.tsx'
import { Failed } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { BaseField, useTargetBase } from './base-field.tsx'
import { type Base, useBases } from './bases.ts'
import { compared, compareWithStored, type ImportedFile, startImport } from './import.ts'
import { readDrop, toImported } from './imported-files.ts'

const t = texts.knowledge

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
  const stored = useStored(base.id, chosen)
  // While the server does not respond, the upload itself waits for it.
  const isComparing = stored.isLoading && stored.failureCount === 0
  const isReady = chosen.length > 0 && base.isReady && !isComparing
  const start = useMutation({
    mutationFn: base.resolve,
    onSuccess: (kbId) => {
      startImport({ workspaceId, botId, kbId }, chosen)
      if (filter && filter !== kbId) setFilter(kbId)
      onClose()
    },
  })
  return (
    <DialogForm
      action={{ ...start, isPending: start.isPending || isComparing }}
      button={stored.data?.replaced.length ? t.add.startReplacing : t.add.start}
      isReady={isReady}
      onClose={onClose}
    >
      <FileChoice dropped={dropped} chosen={chosen} onChoose={setChosen} />
      <BaseField field={base.field} />
      {stored.data && <Stored {...stored.data} />}
    </DialogForm>
  )
}

/** The chosen files that are in the knowledge base already: none in a new one. */
function useStored(kbId: string | undefined, chosen: ImportedFile[]) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: [
      'storedFiles',
      botId,
      kbId,
      // The size of a file is read from the disk while the page waits: 5 seconds for 10,000 files.
      compared(chosen).map(({ path, file }) => [path, file.size, file.lastModified]),
    ],
    queryFn: () => compareWithStored(client, kbId!, chosen),
    enabled: kbId !== undefined && chosen.length > 0,
    gcTime: 0,
    staleTime: 0,
  })
}

function Stored({ replaced, skipped }: { replaced: string[]; skipped: number }) {
  return (
    <div role="status">
      {replaced.length > 0 && (
        <Text size="sm">
          {t.add.replaces(replaced.length)} <Names paths={replaced} />
        </Text>
      )}
      {skipped > 0 && <Text size="sm">{t.add.skips(skipped)}</Text>}
    </div>
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
        {chosen.length > 0 && (
          <Text size="sm">
            <Names paths={chosen.map(({ path }) => path)} />
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t.add.hint}
        </Text>
        <Text size="sm" c="dimmed">
          {t.add.types}
        </Text>
      </FileDrop>
      {error && <Failed error={error} />}
    </>
  )
}

/** Names that are listed. */
const maxNames = 5

const Names = ({ paths }: { paths: string[] }) => (
  <span className="foreign" style={{ overflowWrap: 'anywhere' }}>
    {paths.slice(0, maxNames).join(texts.common.comma)}
    {paths.length > maxNames && ` ${t.upload.more(paths.length - maxNames)}`}
  </span>
)

function toSummary(isReading: boolean, count: number): string {
  if (isReading) return t.add.readingFolders
  return count > 0 ? t.add.chosen(count) : t.add.none
}

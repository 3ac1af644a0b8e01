// Changes of a file: index again, delete.
import type { File } from '@botstead/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'
import { toName } from './bases.ts'

const t = texts.knowledge

/** A file without complete content cannot be indexed. */
export const isIndexable = ({ status }: File) =>
  !status.startsWith('upload_') || isStored(status)
const isStored = (status: File['status']) => status === 'upload_completed'

export function useReindex() {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => client.platform.indexFile({ params: { id }, body: {} }),
    onSuccess: async () => {
      notifyDone(t.indexing)
      await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
      await queries.invalidateQueries({ queryKey: ['files', botId] })
    },
    onError: notifyFailed,
  })
}

interface DeleteFileProps {
  file: File
  onDeleted?: () => Promise<unknown>
  onClose: () => void
}

export function DeleteFile({ file: { id, key }, onDeleted, onClose }: DeleteFileProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return (
    <Confirm
      title={t.deleteOne(toName(key))}
      button={texts.common.delete}
      onConfirm={async () => {
        await client.files.deleteFile({ params: { id } })
        notifyDone(t.deleted)
        await onDeleted?.()
        await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
      }}
      onClose={onClose}
    >
      {t.deleteText}
    </Confirm>
  )
}

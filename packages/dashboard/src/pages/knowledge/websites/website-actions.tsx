// Changes of a website: read again, delete.
import type { KnowledgeSource } from '@botstead/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../../api/scope.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { notifyDone, notifyFailed } from '../../../parts/notify.ts'
import { texts } from '../../../texts/texts.ts'

const t = texts.knowledge.websites

export function useRefresh() {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      client.platform.refreshKnowledgeSource({ params: { id }, body: {} }),
    onSuccess: async () => {
      notifyDone(t.added)
      await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
    },
    onError: notifyFailed,
  })
}

interface DeleteWebsiteProps {
  source: KnowledgeSource
  onDeleted?: () => Promise<unknown>
  onClose: () => void
}

export function DeleteWebsite({ source: { id, url }, onDeleted, onClose }: DeleteWebsiteProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return (
    <Confirm
      title={t.deleteOne(url)}
      button={texts.common.delete}
      onConfirm={async () => {
        await client.platform.deleteKnowledgeSource({ params: { id } })
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

// Changes of a website: read again, another address, delete.
import type { KnowledgeSource } from '@botstead/contract'
import { Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { Confirm } from '../../../parts/forms/confirm.tsx'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { completeAddress } from '../../../parts/forms/web-address.ts'
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

interface EditAddressProps {
  source: KnowledgeSource
  onClose: () => void
}

export function EditAddress({ source: { id, url }, onClose }: EditAddressProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [typed, setTyped] = useState(url)
  const save = useMutation({
    mutationFn: () =>
      client.platform.updateKnowledgeSource({
        params: { id },
        body: { url: completeAddress(typed.trim()) },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
      notifyDone(t.edited)
      onClose()
    },
  })
  return (
    <FormModal
      title={t.edit}
      size="lg"
      action={save}
      button={texts.common.save}
      isReady={typed.trim() !== ''}
      onClose={onClose}
    >
      <TextInput
        label={t.url}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={900}
        inputMode="url"
        autoComplete="off"
        required
        data-autofocus
      />
      <Text size="sm">{t.editText}</Text>
    </FormModal>
  )
}

interface DeleteWebsiteProps {
  source: KnowledgeSource
  onDeleted?: () => Promise<unknown>
  onClose: () => void
}

export function DeleteWebsite({
  source: { id, url },
  onDeleted,
  onClose,
}: DeleteWebsiteProps) {
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

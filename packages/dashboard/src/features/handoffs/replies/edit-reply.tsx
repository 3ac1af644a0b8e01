// A new or changed canned reply.
import type { CannedReply } from '@botstead/contract'
import { Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { texts } from '../../../texts/texts.ts'
import { unknownIn } from './reply-variables.ts'

const t = texts.inbox.replies

interface EditReplyProps {
  /** Null for a new one. */
  reply: CannedReply | null
  onDone: () => void
}

export function EditReply({ reply, onDone }: EditReplyProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [name, setName] = useState(reply?.name ?? '')
  const [text, setText] = useState(reply?.text ?? '')
  const unknown = unknownIn(text)
  const save = useMutation({
    mutationFn: async () => {
      const body = { name: name.trim(), text }
      if (reply)
        await client.platform.updateCannedReply({ params: { id: reply.id }, body })
      else await client.platform.createCannedReply({ body })
      await queries.invalidateQueries({ queryKey: ['handoffs', botId, 'replies'] })
    },
    onSuccess: onDone,
  })
  return (
    <FormModal
      title={reply ? t.edit : t.new}
      action={save}
      button={texts.common.save}
      isReady={name.trim() !== '' && text.trim() !== ''}
      onClose={onDone}
    >
      <TextInput
        data-autofocus
        label={t.name}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t.text}
        description={t.variables}
        autosize
        minRows={4}
        maxRows={12}
        maxLength={5_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {unknown && (
        <Text size="sm" c="var(--bad)" role="status">
          {t.unknown(unknown)}
        </Text>
      )}
    </FormModal>
  )
}

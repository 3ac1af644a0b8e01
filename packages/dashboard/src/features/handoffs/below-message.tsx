// Below the messages of people in the inbox: whether the user has them, and changes of own ones.
import type { HandoffDetails, TranscriptMessage } from '@botstead/contract'
import { Anchor, Group, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { FormModal } from '../../parts/forms/form-modal.tsx'
import { exactTime } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { SaveAsAnswer } from './save-as-answer.tsx'

const t = texts.inbox.own

interface BelowMessageProps {
  row: TranscriptMessage
  /** The messages before it, the oldest first. */
  before: TranscriptMessage[]
  handoff: HandoffDetails
  /** The account of the reader, if it answers. */
  ownId: string | undefined
}

export function BelowMessage({
  row: { message, author },
  before,
  handoff,
  ownId,
}: BelowMessageProps) {
  const mayChange = useMay()('data.write')
  if (!author.accountId) return null
  const isOwn = author.accountId === ownId
  return (
    <Group gap="xs" px={6} justify="flex-end">
      <Text size="xs" c="dimmed">
        {t.states[toState(message.createdAt, handoff.user)]}
        {isEdited(message) && ` · ${t.edited}`}
      </Text>
      {isOwn && mayChange && <Changes message={message} />}
      <SaveAsAnswer message={message} before={before} />
    </Group>
  )
}

/** Chats show it, too. */
const editedMark = { edited: true }

const isEdited = ({ payload }: TranscriptMessage['message']) =>
  (payload.metadata as Partial<typeof editedMark> | undefined)?.edited === true

function toState(createdAt: string, user: HandoffDetails['user']): keyof typeof t.states {
  if (user?.readUntil && createdAt <= user.readUntil) return 'read'
  return user?.deliveredUntil && createdAt <= user.deliveredUntil ? 'delivered' : 'sent'
}

function Changes({ message }: Pick<TranscriptMessage, 'message'>) {
  const { client } = useBot()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const time = exactTime(message.createdAt)
  return (
    <>
      {typeof message.payload.text === 'string' && (
        <Anchor
          component="button"
          size="xs"
          aria-label={t.editOne(time)}
          onClick={() => setOpen('edit')}
        >
          {t.edit}
        </Anchor>
      )}
      <Anchor
        component="button"
        size="xs"
        aria-label={t.deleteOne(time)}
        onClick={() => setOpen('delete')}
      >
        {t.delete}
      </Anchor>
      {open === 'edit' && <Edit message={message} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          title={t.deleteTitle}
          button={t.delete}
          onConfirm={() => client.runtime.deleteMessage({ params: { id: message.id } })}
          onClose={close}
        >
          {t.deleteHint}
        </Confirm>
      )}
    </>
  )
}

interface EditProps extends Pick<TranscriptMessage, 'message'> {
  onClose: () => void
}

function Edit({ message: { id, payload }, onClose }: EditProps) {
  const { client } = useBot()
  const [text, setText] = useState(String(payload.text))
  const metadata = { ...(payload.metadata as object | undefined), ...editedMark }
  const save = useMutation({
    mutationFn: () =>
      client.runtime.updateMessage({
        params: { id },
        body: { payload: { ...payload, text: text.trim(), metadata } },
      }),
    onSuccess: onClose,
  })
  return (
    <FormModal
      title={t.editTitle}
      action={save}
      button={texts.common.save}
      isReady={text.trim() !== ''}
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        autosize
        minRows={3}
        maxRows={12}
        label={t.text}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormModal>
  )
}

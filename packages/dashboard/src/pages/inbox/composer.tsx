// Writes answers. It is disabled unless the handoff is assigned to the reader; the draft stays.
import type { HandoffDetails } from '@botstead/contract'
import { ActionIcon, Box, FileButton, Group, Textarea } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { IconPaperclip, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { uploadFile } from '../../parts/upload.ts'
import { texts } from '../../texts/texts.ts'
import { useDraft } from './draft.ts'
import { useOwnId } from './use-handoff.ts'

const t = texts.inbox

export function Composer({ handoff }: { handoff: HandoffDetails }) {
  const isEditor = useMay()('data.write')
  const ownId = useOwnId()
  const isMine = handoff.state === 'assigned' && handoff.assignedTo === ownId
  if (!isEditor) return null
  return <Form id={handoff.id} isEnabled={isMine} />
}

interface Answer {
  type: string
  payload: Record<string, unknown>
  /** Sent again after a failure, the message is stored once. */
  key: string
}

function useAnswer(id: string) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ key, ...body }: Answer) =>
      client.platform.answerHandoff(
        { params: { id }, body },
        { headers: { 'idempotency-key': key } },
      ),
    // The error may be that another member has taken the conversation.
    onError: () => queries.invalidateQueries({ queryKey: ['handoffs', botId] }),
  })
}

function Form({ id, isEnabled }: { id: string; isEnabled: boolean }) {
  const { client } = useBot()
  const [text, setText] = useDraft(id)
  const field = useRef<HTMLTextAreaElement>(null)
  useFocus(field, isEnabled)
  const answer = useAnswer(id)
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const { type, ...payload } = await uploadFile(client, file, 'inbox')
      await answer.mutateAsync({ type: String(type), payload, key: crypto.randomUUID() })
    },
  })
  const failed = useRef<Answer | null>(null)
  const send = () => {
    const trimmed = text.trim()
    if (trimmed === '' || !isEnabled || answer.isPending) return
    const isAgain = failed.current?.payload.text === trimmed
    const key = isAgain ? failed.current!.key : crypto.randomUUID()
    const sent = { type: 'text', payload: { text: trimmed }, key }
    answer.mutate(sent, {
      onSuccess: () => setText(''),
      onError: () => {
        failed.current = sent
      },
      onSettled: () => field.current?.focus(),
    })
  }
  return (
    <Box component="form" onSubmit={(event) => event.preventDefault()}>
      <ActionError error={upload.error ?? answer.error} />
      <Group gap={6} align="flex-end" wrap="nowrap">
        <FileButton onChange={(file) => file && upload.mutate(file)} disabled={!isEnabled}>
          {(props) => (
            <ActionIcon
              {...props}
              variant="subtle"
              color="gray"
              size="lg"
              disabled={!isEnabled}
              loading={upload.isPending}
              aria-label={t.attach}
            >
              <IconPaperclip size={18} aria-hidden="true" />
            </ActionIcon>
          )}
        </FileButton>
        <Textarea
          ref={field}
          flex={1}
          autosize
          minRows={2}
          maxRows={8}
          aria-label={t.answer}
          placeholder={t.placeholder}
          value={text}
          disabled={!isEnabled}
          readOnly={answer.isPending}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={getHotkeyHandler([['mod+Enter', send]])}
        />
        <ActionIcon
          size="lg"
          radius="xl"
          onClick={send}
          loading={answer.isPending}
          disabled={text.trim() === '' || !isEnabled}
          aria-label={t.send}
        >
          <IconSend size={18} aria-hidden="true" />
        </ActionIcon>
      </Group>
    </Box>
  )
}

function useFocus(field: RefObject<HTMLTextAreaElement | null>, isEnabled: boolean) {
  useEffect(() => {
    if (isEnabled) field.current?.focus({ preventScroll: true })
  }, [field, isEnabled])
}

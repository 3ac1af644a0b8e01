// Writes answers. It is disabled unless the handoff is assigned to the reader; the draft stays.

import type { HandoffDetails } from '@botstead/contract'
import { ActionIcon, Box, FileButton, Group, Stack, Textarea, Tooltip } from '@mantine/core'
import { getHotkeyHandler, useDisclosure } from '@mantine/hooks'
import { IconMessage2Bolt, IconPaperclip, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { newId } from 'page/ids.js'
import { type RefObject, useEffect, useRef } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { uploadFile } from '../../parts/upload.ts'
import { texts } from '../../texts/texts.ts'
import { CannedReplies } from './canned-replies.tsx'
import { useDraft } from './draft.ts'
import { unfilledIn, useVariables } from './reply-variables.ts'
import { useOwnId } from './use-handoff.ts'
import { useTyping } from './use-typing.ts'

const t = texts.inbox

export function Composer({ handoff }: { handoff: HandoffDetails }) {
  const isEditor = useMay()('data.write')
  const ownId = useOwnId()
  const isMine = handoff.state === 'assigned' && handoff.assignedTo === ownId
  if (!isEditor) return null
  return <Form handoff={handoff} isEnabled={isMine} />
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

/** Sends texts. After a failure, the same text is the same message. */
function useTextAnswer(id: string, onSent: () => void) {
  const answer = useAnswer(id)
  const failed = useRef<Answer | null>(null)
  const send = (typed: string) => {
    const text = typed.trim()
    if (text === '' || unfilledIn(text) || answer.isPending) return
    const isAgain = failed.current?.payload.text === text
    const key = isAgain ? failed.current!.key : newId()
    const sent = { type: 'text', payload: { text }, key }
    answer.mutate(sent, {
      onSuccess: onSent,
      onError: () => {
        failed.current = sent
      },
    })
  }
  return { send, isSending: answer.isPending, error: answer.error }
}

function Form({ handoff, isEnabled }: { handoff: HandoffDetails; isEnabled: boolean }) {
  const [text, setText] = useDraft(handoff.id)
  const [isOpen, replies] = useDisclosure()
  const field = useRef<HTMLTextAreaElement>(null)
  const typing = useTyping(handoff.conversationId)
  const fill = useVariables(handoff)
  const unfilled = unfilledIn(text)
  const { send, isSending, error } = useTextAnswer(handoff.id, () => {
    setText('')
    typing.sent()
  })
  useFocus(field, isEnabled && !isSending && !isOpen)
  const insert = (reply: string) => {
    const { selectionStart, selectionEnd } = field.current!
    setText(text.slice(0, selectionStart) + fill(reply) + text.slice(selectionEnd))
    replies.close()
  }
  return (
    <Box component="form" onSubmit={(event) => event.preventDefault()}>
      <ActionError error={error} />
      <Group gap={6} align="flex-end" wrap="nowrap">
        <Tools id={handoff.id} isEnabled={isEnabled} openReplies={replies.open} />
        <Textarea
          ref={field}
          flex={1}
          autosize
          minRows={3}
          maxRows={8}
          aria-label={t.answer}
          placeholder={t.placeholder}
          value={text}
          error={unfilled && t.unfilled(unfilled)}
          disabled={!isEnabled}
          readOnly={isSending}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            typing.typed(value)
          }}
          onKeyDown={getHotkeyHandler([
            ['Enter', () => send(text)],
            ['mod+Enter', () => send(text)],
            ['mod+J', replies.open],
          ])}
        />
        <ActionIcon
          size="lg"
          radius="xl"
          onClick={() => send(text)}
          loading={isSending}
          disabled={text.trim() === '' || unfilled !== undefined || !isEnabled}
          aria-label={t.send}
        >
          <IconSend size={18} aria-hidden="true" />
        </ActionIcon>
      </Group>
      {isOpen && <CannedReplies onInsert={insert} onClose={replies.close} />}
    </Box>
  )
}

interface ToolsProps {
  id: string
  isEnabled: boolean
  openReplies: () => void
}

/** Attaches a file, or opens the canned replies. */
function Tools({ id, isEnabled, openReplies }: ToolsProps) {
  const { client } = useBot()
  const answer = useAnswer(id)
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const { type, ...payload } = await uploadFile(client, file, 'inbox')
      await answer.mutateAsync({ type: String(type), payload, key: newId() })
    },
    onError: notifyFailed,
  })
  const tool = { variant: 'subtle', color: 'gray', size: 'lg', disabled: !isEnabled } as const
  return (
    <Stack gap={2}>
      <Tooltip label={t.replies.insert}>
        <ActionIcon {...tool} onClick={openReplies} aria-label={t.replies.insert}>
          <IconMessage2Bolt size={18} aria-hidden="true" />
        </ActionIcon>
      </Tooltip>
      <FileButton onChange={(file) => file && upload.mutate(file)} disabled={!isEnabled}>
        {(props) => (
          <ActionIcon {...props} {...tool} loading={upload.isPending} aria-label={t.attach}>
            <IconPaperclip size={18} aria-hidden="true" />
          </ActionIcon>
        )}
      </FileButton>
    </Stack>
  )
}

function useFocus(field: RefObject<HTMLTextAreaElement | null>, isEnabled: boolean) {
  useEffect(() => {
    if (isEnabled) field.current?.focus({ preventScroll: true })
  }, [field, isEnabled])
}

// Writes answers. It is disabled unless the handoff is assigned to the reader; the draft stays.

import type { HandoffDetails } from '@botstead/contract'
import {
  ActionIcon,
  Box,
  FileButton,
  Group,
  Pill,
  Stack,
  Textarea,
  Tooltip,
} from '@mantine/core'
import { getHotkeyHandler, useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { newId } from 'page/ids.js'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { IconMessage2Bolt, IconPaperclip, IconSend } from '../../icons/icons.tsx'
import { ActionError } from '../../parts/action-error.tsx'
import { uploadFile } from '../../parts/files/upload.ts'
import { lazily } from '../../parts/lazily.tsx'
import { texts } from '../../texts/texts.ts'
import { useDraft } from './draft.ts'
import { unfilledIn, useVariables } from './replies/reply-variables.ts'
import { useOwnId } from './use-handoff.ts'
import { useTyping } from './use-typing.ts'

const CannedReplies = lazily(
  async () => (await import('./replies/canned-replies.tsx')).CannedReplies,
)

const t = texts.inbox

export function Composer({ handoff }: { handoff: HandoffDetails }) {
  const isEditor = useMay()('conversations.write')
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

interface Sending {
  text: string
  file: File | null
  /** Returns the key of the request that sends this text. */
  getKey: (text: string) => string
}

/** Sends a text, and then a file. After a failure, the same text and file are the same messages. */
function useSending(
  { id, conversationId }: HandoffDetails,
  onSent: (sent: 'text' | 'file') => void,
) {
  const { client } = useBot()
  const answer = useAnswer(id)
  const uploaded = useRef<(Answer & { file: File }) | null>(null)
  async function upload(file: File) {
    const { type, ...payload } = await uploadFile(client, file, `inbox/${conversationId}`)
    return { file, type: String(type), payload, key: newId() }
  }
  return useMutation({
    async mutationFn({ text, file, getKey }: Sending) {
      if (text) {
        await answer.mutateAsync({ type: 'text', payload: { text }, key: getKey(text) })
        onSent('text')
      }
      if (!file) return
      if (uploaded.current?.file !== file) uploaded.current = await upload(file)
      const { file: _, ...message } = uploaded.current
      await answer.mutateAsync(message)
      onSent('file')
    },
  })
}

function Form({ handoff, isEnabled }: { handoff: HandoffDetails; isEnabled: boolean }) {
  const { text, setText, getKey } = useDraft(handoff.id)
  const [isOpen, replies] = useDisclosure()
  const field = useRef<HTMLTextAreaElement>(null)
  const typing = useTyping(handoff.conversationId)
  const fill = useVariables(handoff)
  const unfilled = unfilledIn(text)
  const [file, setFile] = useState<File | null>(null)
  const {
    mutate,
    isPending: isSending,
    error,
  } = useSending(handoff, (sent) => {
    if (sent === 'file') return setFile(null)
    setText('')
    typing.sent()
  })
  const isReady =
    isEnabled && !isSending && !unfilled && (text.trim() !== '' || file !== null)
  const send = () => isReady && mutate({ text: text.trim(), file, getKey })
  const isTyped = isEnabled && !isSending && !isOpen
  useFocus(field, isTyped)
  useSelectedGap(field, isTyped, unfilled)
  const insert = (reply: string) => {
    const { selectionStart, selectionEnd } = field.current!
    setText(text.slice(0, selectionStart) + fill(reply) + text.slice(selectionEnd))
    replies.close()
  }
  return (
    <Box component="form" onSubmit={(event) => event.preventDefault()}>
      <ActionError error={error} />
      {file && (
        <Attached file={file} isSending={isSending} onRemove={() => setFile(null)} />
      )}
      <Group gap={6} align="flex-end" wrap="nowrap">
        <Tools
          isEnabled={isEnabled && !isSending}
          onFile={setFile}
          openReplies={replies.open}
        />
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
            ['Enter', send],
            ['mod+Enter', send],
            ['mod+J', replies.open],
          ])}
        />
        <ActionIcon
          size="lg"
          radius="xl"
          onClick={send}
          loading={isSending}
          disabled={!isReady}
          aria-label={t.send}
        >
          <IconSend size={18} aria-hidden="true" />
        </ActionIcon>
      </Group>
      {isOpen && <CannedReplies onInsert={insert} onClose={replies.close} />}
    </Box>
  )
}

interface AttachedProps {
  file: File
  isSending: boolean
  onRemove: () => void
}

const Attached = ({ file: { name }, isSending, onRemove }: AttachedProps) => (
  <Pill
    mb={6}
    className="foreign"
    withRemoveButton
    disabled={isSending}
    onRemove={onRemove}
    removeButtonProps={{
      'aria-label': t.detach(name),
      'aria-hidden': false,
      tabIndex: 0,
    }}
  >
    {t.attached(name)}
  </Pill>
)

interface ToolsProps {
  isEnabled: boolean
  onFile: (file: File | null) => void
  openReplies: () => void
}

/** Attaches a file, or opens the canned replies. */
function Tools({ isEnabled, onFile, openReplies }: ToolsProps) {
  const mayAttach = useMay()('files.write')
  const tool = {
    variant: 'subtle',
    color: 'gray',
    size: 'lg',
    disabled: !isEnabled,
  } as const
  return (
    <Stack gap={2}>
      <Tooltip label={t.replies.insert}>
        <ActionIcon {...tool} onClick={openReplies} aria-label={t.replies.insert}>
          <IconMessage2Bolt size={18} aria-hidden="true" />
        </ActionIcon>
      </Tooltip>
      {mayAttach && (
        <FileButton onChange={onFile} disabled={!isEnabled}>
          {(props) => (
            <ActionIcon {...props} {...tool} aria-label={t.attach}>
              <IconPaperclip size={18} aria-hidden="true" />
            </ActionIcon>
          )}
        </FileButton>
      )}
    </Stack>
  )
}

function useFocus(field: RefObject<HTMLTextAreaElement | null>, isEnabled: boolean) {
  useEffect(() => {
    if (isEnabled) field.current?.focus({ preventScroll: true })
  }, [field, isEnabled])
}

/** Selects the variable that the member has to replace. */
function useSelectedGap(
  field: RefObject<HTMLTextAreaElement | null>,
  isTyped: boolean,
  gap: string | undefined,
) {
  useEffect(() => {
    const start = gap && isTyped ? field.current!.value.indexOf(gap) : -1
    if (start >= 0) field.current!.setSelectionRange(start, start + gap!.length)
  }, [field, isTyped, gap])
}

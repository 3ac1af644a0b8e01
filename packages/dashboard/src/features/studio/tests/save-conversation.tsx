// A conversation of any channel as a test: in the draft of the bot, or as a file if the bot has no flows.
import type { Client } from '@botstead/client'
import type { Message } from '@botstead/contract'
import { Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useBot } from '../../../api/scope.ts'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { DraftOfBot } from '../draft/use-draft.tsx'
import type { Recorded } from './recorded-test.ts'
import { downloadTest, proposeName, SaveTest } from './save-test.tsx'

const t = texts.studio.tests

interface SaveConversationProps {
  conversationId: string
  onClose: () => void
}

export function SaveConversation({ conversationId, onClose }: SaveConversationProps) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['messages', botId, 'recorded', conversationId],
    queryFn: ({ signal }) => readMessages(client, conversationId, signal),
  })
  const frame = (content: ReactNode) => (
    <Modal opened onClose={onClose} title={t.save}>
      {content}
    </Modal>
  )
  if (!query.data) return frame(<Loaded query={query}>{() => null}</Loaded>)
  const { messages, isComplete } = query.data
  if (!isComplete) return frame(<Text>{t.tooLong(maxMessages)}</Text>)
  if (messages.length === 0) return frame(<Text>{t.noMessages}</Text>)
  return (
    <DraftOfBot
      frame={frame}
      withoutFlows={<Download messages={messages} onClose={onClose} />}
    >
      <SaveTest messages={messages} hint={t.personHint} onClose={onClose} />
    </DraftOfBot>
  )
}

function Download({ messages, onClose }: { messages: Recorded[]; onClose: () => void }) {
  const save = () => {
    downloadTest(proposeName(messages), messages)
    onClose()
  }
  return (
    <FormModal
      title={t.save}
      button={t.downloadOnly}
      action={{ mutate: save }}
      onClose={onClose}
    >
      <Text size="sm">{t.withoutDocument}</Text>
    </FormModal>
  )
}

/** A test must begin where the conversation began. */
const maxMessages = 500

async function readMessages(client: Client, conversationId: string, signal: AbortSignal) {
  const messages: Message[] = []
  let nextToken: string | undefined
  do {
    const query = { conversationId, ...(nextToken && { nextToken }) }
    const page = await client.runtime.listMessages({ query }, { signal })
    messages.push(...page.messages)
    nextToken = page.meta.nextToken
  } while (nextToken && messages.length <= maxMessages)
  return {
    messages: messages.reverse().map(toRecorded),
    isComplete: messages.length <= maxMessages,
  }
}

const toRecorded = ({ type, payload, direction, createdAt }: Message): Recorded => ({
  payload: { ...payload, type },
  isOwn: direction === 'incoming',
  createdAt,
})

// Saves the message of a person who answered as a curated answer to the question before it.
import type { TranscriptMessage } from '@botstead/contract'
import { Anchor } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMay } from '../../api/session.ts'
import { lazily } from '../../parts/lazily.tsx'
import { exactTime } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { findQuestion } from './asked-question.ts'

const AnswerForm = lazily(
  async () => (await import('../knowledge/curated/answer-form.tsx')).AnswerForm,
)

const t = texts.curated

interface SaveAsAnswerProps extends Pick<TranscriptMessage, 'message'> {
  /** The messages before it, the oldest first. */
  before: TranscriptMessage[]
}

export function SaveAsAnswer({ message, before }: SaveAsAnswerProps) {
  const mayWrite = useMay()('answers.create')
  const [isOpen, { open, close }] = useDisclosure()
  const { text } = message.payload
  if (!mayWrite || typeof text !== 'string' || text.trim() === '') return null
  return (
    <>
      <Anchor
        component="button"
        size="xs"
        aria-label={t.fromConversationOne(exactTime(message.createdAt))}
        onClick={open}
      >
        {t.fromConversation}
      </Anchor>
      {isOpen && (
        <AnswerForm
          answer={null}
          questions={findQuestion(before)}
          text={text}
          onClose={close}
        />
      )}
    </>
  )
}

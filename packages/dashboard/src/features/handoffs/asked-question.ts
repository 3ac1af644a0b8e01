// The question that an answer of a person is for.
import type { TranscriptMessage } from '@botstead/contract'

type Sent = { message: Pick<TranscriptMessage['message'], 'direction' | 'payload'> }

const maxQuestionLength = 300

/** Returns the last text that the user wrote, in one line. A click on a button asks nothing. */
export function findQuestion(before: Sent[]): string[] {
  const buttons = new Set(
    before.flatMap(({ message: { payload } }) => listLabels(payload.options)),
  )
  const asked = before.findLast(
    ({ message: { direction, payload } }) =>
      direction === 'incoming' &&
      typeof payload.text === 'string' &&
      payload.text.trim() !== '' &&
      !buttons.has(payload.text),
  )
  if (!asked) return []
  const question = String(asked.message.payload.text).replace(/\s+/g, ' ').trim()
  return [question.slice(0, maxQuestionLength)]
}

/** Bots could send anything as options. */
const listLabels = (options: unknown): unknown[] =>
  Array.isArray(options) ? options.map((option) => option?.label) : []

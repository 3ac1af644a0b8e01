// The card `answer`: searches passages of files, and lets a model answer from them alone. Without
// suitable passages, the model is not called.
import { toMessageContent } from '../captures/capture.ts'
import type { CardByType } from '../document/card-shapes.ts'
import type { JsonSchema } from '../document/shapes.ts'
import type { KnowledgeResult } from '../engine/event-types.ts'
import { searchKnowledge } from '../engine/knowledge.ts'
import { sendMessage } from '../engine/talking.ts'
import { fillHere, setVariable, type Turn } from '../engine/turn.ts'
import { type CitedAnswer, citeAnswer, sourcesText } from '../models/citations.ts'
import { type CognitiveRequest, ModelFailed } from '../models/models.ts'
import { generateTyped } from '../models/typed-replies.ts'
import type { CardKind, CardOutcome } from './card.ts'
import { orOnFail } from './models.ts'
import { texts } from './talking.ts'

const defaultMinScore = 0.1

export const answer: CardKind<'answer'> = {
  hasSideEffects: true,
  perform: (turn, card) =>
    orOnFail(turn, card.onFail, async () => {
      const filled = await fillFields(turn, card)
      const { knowledgeBases: names, limit = 5, minScore = defaultMinScore } = card
      const query = filled.question
      const search = { query, names, tags: filled.tags, limit, minScore }
      const found = await searchKnowledge(turn, search)
      const passages = found.results ?? []
      turn.event.kb = found
      const result = passages.length === 0 ? null : await answerFrom(turn, { ...filled, passages })
      turn.values.KnowledgeAgent = {
        answer: result?.answer ?? null,
        citations: result?.citations ?? [],
        responded: result !== null,
      }
      if (!result) return deliverUnknown(turn, card)
      await deliver(turn, card, result, filled.sources)
    }),
}

interface Fields {
  question: string
  instructions: string
  sources: string
  tags: Record<string, string> | undefined
  model: CognitiveRequest['model'] | undefined
}

async function fillFields(turn: Turn, card: CardByType<'answer'>): Promise<Fields> {
  const { question = '{{ event.preview }}', instructions = '', sources = 'Sources:' } = card
  const given = { question, instructions, sources, tags: card.tags, model: card.model }
  const filled = (await fillHere(turn, given)) as Fields
  return {
    question: String(filled.question ?? ''),
    instructions: String(filled.instructions ?? ''),
    sources: String(filled.sources ?? ''),
    tags: filled.tags && texts(filled.tags),
    model: filled.model || undefined,
  }
}

const rules = [
  'Answer the question of the data from its passages alone, in the language of the question.',
  'After each statement, cite the numbers of its passages in brackets, such as [1] or [2, 3].',
  'If the passages do not contain the answer, `answer` is null. Do not use other knowledge.',
]

const answerSchema: JsonSchema = {
  type: 'object',
  properties: { answer: { type: ['string', 'null'] } },
  required: ['answer'],
  additionalProperties: false,
}

/** Returns null if the model finds no answer, or none that it can cite. */
async function answerFrom(
  turn: Turn,
  { question, instructions, model, passages }: Fields & { passages: KnowledgeResult[] },
): Promise<CitedAnswer | null> {
  const data = {
    question,
    passages: passages.map(({ content, title, fileKey }, index) => ({
      number: index + 1,
      file: title ?? fileKey,
      text: content,
    })),
  }
  const cite = (value: unknown) => citeAnswer((value as { answer: string }).answer, passages)
  const isUnknown = (value: unknown) => (value as { answer: string | null }).answer === null
  try {
    const value = await generateTyped(turn, {
      data,
      model,
      schema: answerSchema,
      repairs: 1,
      instructions: [...rules, instructions].join('\n').trim(),
      check: (value) =>
        isUnknown(value) || cite(value).citations.length > 0
          ? null
          : '/answer cites no passage. Cite at least one, such as [1], or use null',
    })
    return isUnknown(value) ? null : cite(value)
  } catch (error) {
    if (error instanceof ModelFailed && error.reason === 'unsuitable') return null
    throw error
  }
}

async function deliver(
  turn: Turn,
  { into }: CardByType<'answer'>,
  { answer, citations }: CitedAnswer,
  heading: string,
): Promise<void> {
  if (into) return setVariable(turn, into, { answer, citations })
  const sources = heading === '' ? '' : `\n\n${heading}\n${sourcesText(citations)}`
  await sendMessage(turn, {
    type: 'text',
    text: answer + sources,
    metadata: { citations },
  })
}

const defaultUnknown = 'I do not know that.'

/** The rules of handoffs count the message as a failed answer. */
const asUnanswered = (content: ReturnType<typeof toMessageContent>) => ({
  ...content,
  metadata: { unanswered: true, ...(content.metadata as object | undefined) },
})

/** Sends the default sentence only if nothing else handles an unknown answer. */
async function deliverUnknown(turn: Turn, card: CardByType<'answer'>): Promise<CardOutcome> {
  const { into, unknown, onUnknown } = card
  if (into) setVariable(turn, into, null)
  const message = unknown ?? (into || onUnknown ? undefined : defaultUnknown)
  if (message !== undefined)
    await sendMessage(turn, asUnanswered(toMessageContent(await fillHere(turn, message))))
  return onUnknown === undefined ? undefined : { goTo: onUnknown }
}

// Answers that a model writes from passages, with citations.
import type { JsonSchema } from '../document/shapes.ts'
import type { KnowledgeResult } from '../engine/event-types.ts'
import type { Turn } from '../engine/turn.ts'
import { type CitedAnswer, citeAnswer } from '../models/citations.ts'
import { removeUnsupported } from '../models/grounding.ts'
import { type CognitiveRequest, ModelFailed } from '../models/models.ts'
import { generateTyped } from '../models/typed-replies.ts'

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

interface AnswerRequest {
  question: string
  /** Of the author. */
  instructions: string
  model: CognitiveRequest['model'] | undefined
  passages: KnowledgeResult[]
  /** The check of the sentences ends at this time of the engine's clock, in ms; undefined: no check. */
  checkedUntil?: number
}

/** Returns null if the model finds no answer, none that it can cite, or none that the passages support. */
export async function answerFrom(
  turn: Turn,
  request: AnswerRequest,
): Promise<CitedAnswer | null> {
  const { question, model, checkedUntil: deadline } = request
  const answer = await writeAnswer(turn, request)
  if (!answer || deadline === undefined) return answer
  return removeUnsupported(turn, { question, answer, model, deadline })
}

async function writeAnswer(
  turn: Turn,
  { question, instructions, model, passages }: AnswerRequest,
): Promise<CitedAnswer | null> {
  const data = {
    question,
    passages: passages.map(({ content, title, fileKey }, index) => ({
      number: index + 1,
      file: title ?? fileKey,
      text: content,
    })),
  }
  const cite = (value: unknown) =>
    citeAnswer((value as { answer: string }).answer, passages)
  const isUnknown = (value: unknown) =>
    (value as { answer: string | null }).answer === null
  try {
    const value = await generateTyped(turn, {
      data,
      model,
      isOptional: model === undefined,
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

// Cards that call a model: for a typed value, the next node, or a text. Models choose only among
// the author's transitions, and write only the author's variable.
import type { CardByType } from '../document/card-shapes.ts'
import type { JsonSchema, Target } from '../document/shapes.ts'
import { openAnswerStream } from '../engine/streams.ts'
import { sendMessage } from '../engine/talking.ts'
import { fillHere, findVariableError, setVariable, type Turn } from '../engine/turn.ts'
import { generateText, ModelFailed } from '../models/models.ts'
import { toStorableText } from '../models/storable.ts'
import { generateTyped, toData, withDataRule } from '../models/typed-replies.ts'
import type { CardKind, CardOutcome } from './card.ts'

export const aiTask: CardKind<'aiTask'> = {
  hasSideEffects: true,
  perform: (turn, card) =>
    orOnFail(turn, card.onFail, async () => {
      const { instructions, data, model } = await createPrompt(turn, card)
      const value = await generateTyped(turn, {
        instructions,
        data,
        model,
        schema: card.output,
        repairs: card.repairs,
        check: (value) => findVariableError(turn, card.into, value),
      })
      setVariable(turn, card.into, value)
    }),
}

export const aiText: CardKind<'aiText'> = {
  hasSideEffects: true,
  perform: (turn, card) =>
    orOnFail(turn, card.onFail, async () => {
      const { instructions, data, model } = await createPrompt(turn, card)
      const stream = card.into ? null : openAnswerStream(turn)
      const { output } = await generateText(turn, {
        systemPrompt: withDataRule(instructions),
        messages: [{ role: 'user', content: toData(data) }],
        ...(model !== undefined && { model }),
        ...(stream && { options: { publishTo: stream.publishTo } }),
      })
      const text = toStorableText(output).trim()
      if (text === '') throw new ModelFailed('unsuitable', 'The model returned no text')
      if (card.into) setVariable(turn, card.into, text)
      else await sendMessage(turn, { type: 'text', text, ...stream?.message })
    }),
}

export const aiTransition: CardKind<'aiTransition'> = {
  hasSideEffects: true,
  perform: (turn, card) =>
    orOnFail(turn, card.onFail, async () => {
      const { transitions, otherwise } = card
      const { instructions, data, model } = await createPrompt(turn, card)
      const { choice } = (await generateTyped(turn, {
        data,
        model,
        schema: choiceSchema,
        instructions: await choiceInstructions(turn, instructions, transitions),
        check: (value) =>
          (value as Choice).choice <= transitions.length
            ? null
            : '/choice is not in the list',
      })) as Choice
      turn.trace.note({ kind: 'note', text: `the model chose ${choice || 'none'}` })
      const to = choice === 0 ? otherwise : transitions[choice - 1]!.to
      return to === undefined ? undefined : { goTo: to }
    }),
}

interface Choice {
  choice: number
}
const choiceSchema: JsonSchema = {
  type: 'object',
  properties: { choice: { type: 'integer', minimum: 0 } },
  required: ['choice'],
  additionalProperties: false,
}

async function choiceInstructions(
  turn: Turn,
  instructions: string,
  transitions: CardByType<'aiTransition'>['transitions'],
): Promise<string> {
  const descriptions = (await fillHere(
    turn,
    transitions.map(({ when }) => when),
  )) as unknown[]
  return [
    'Choose the description that fits the data. `choice` is its number, or 0 if none fits.',
    ...descriptions.map((text, index) => `${index + 1}: ${JSON.stringify(String(text))}`),
    instructions,
  ].join('\n')
}

interface PromptCard {
  instructions?: string
  input?: Record<string, unknown>
  model?: string | string[]
}

/** Evaluates the fields that all these cards share. */
async function createPrompt(turn: Turn, { instructions = '', input, model }: PromptCard) {
  const filled = (await fillHere(turn, { instructions, input, model })) as PromptCard
  return {
    instructions: String(filled.instructions ?? ''),
    data: filled.input ?? { message: turn.event.preview },
    model: filled.model || undefined,
  }
}

/**
 * Performs the work of a card. After a failure of the model, continues at the node, if there is
 * one; its cards find the failure in `turn.error`.
 */
export async function orOnFail(
  turn: Turn,
  onFail: Target | undefined,
  work: () => Promise<CardOutcome>,
): Promise<CardOutcome> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ModelFailed) || onFail === undefined) throw error
    const { reason, message } = error
    turn.values.error = { reason, message }
    turn.trace.note({ kind: 'note', text: message })
    turn.engine.log('warn', message)
    return { goTo: onFail }
  }
}

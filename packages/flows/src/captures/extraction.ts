// Lets a model find the answer to a capture in free text. The value is as untrusted as a typed
// answer: readers.ts reads it by the same rules.
import { DateTime } from 'luxon'
import type { CaptureCard } from '../document/card-shapes.ts'
import type { JsonSchema } from '../document/shapes.ts'
import type { Turn } from '../engine/turn.ts'
import { ModelFailed } from '../models/models.ts'
import { generateTyped } from '../models/typed-replies.ts'
import type { Option } from './choices.ts'

type Kind = CaptureCard['kind']

export interface Extraction {
  kind: Kind
  /** The user's message. */
  text: string
  /** Null if the card has none. */
  question: string | null
  options: Option[]
  pattern?: string | undefined
  timezone: string
  /** Model of the card. */
  model?: string | string[] | undefined
}

/** Returns a value, or null if the text has none or no model is available. Throws Unreachable. */
export async function extractAnswer(
  turn: Turn,
  extraction: Extraction,
): Promise<unknown> {
  const { question, text, model } = extraction
  try {
    const reply = await generateTyped(turn, {
      instructions: instructionsFor(extraction, turn.event.createdOn),
      data: { question, message: text },
      schema,
      model,
      repairs: 1,
    })
    return (reply as { value: unknown }).value
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error
    turn.trace.note({ kind: 'note', text: `no model read the answer: ${error.message}` })
    return null
  }
}

const schema: JsonSchema = {
  type: 'object',
  properties: {
    value: {
      type: ['string', 'number', 'boolean', 'array', 'null'],
      items: { type: 'string' },
    },
  },
  required: ['value'],
  additionalProperties: false,
}

const instructionsFor = (extraction: Extraction, now: Date) =>
  [
    "Extract the answer to the data's question from its message.",
    `\`value\` is ${toForm(extraction, now)}.`,
    '`value` is null if the message does not contain the answer. Do not guess.',
  ].join('\n')

const forms: Partial<Record<Kind, string>> = {
  number: 'a number',
  boolean: 'true for yes, or false for no',
  confirmation: 'true for yes, or false for no',
  email: 'an e-mail address',
  phone: 'a phone number, with "+" and the country code if the message has it',
  url: 'a web address',
}

/** Describes the value. The time is that of the event, so that a repeated turn sends the same. */
function toForm({ kind, options, pattern, timezone }: Extraction, now: Date): string {
  const list = JSON.stringify(options)
  if (kind === 'singleChoice') return `the \`value\` of one of these options: ${list}`
  if (kind === 'multipleChoice')
    return `a list of the \`value\` of some of these options: ${list}`
  if (kind === 'regex')
    return `a text that matches the pattern ${JSON.stringify(pattern)}`
  if (kind !== 'date') return forms[kind] ?? 'a text'
  const zoned = DateTime.fromJSDate(now).setZone(timezone)
  const today = (zoned.isValid ? zoned : zoned.setZone('utc')).toFormat(
    'cccc, yyyy-MM-dd HH:mm',
  )
  return `a date such as 2026-03-05, or 2026-03-05T15:00 with a time; now it is ${today}`
}

// Fields of forms of Dify, which people fill in before they begin, as captures.
import type { CaptureCard, Card } from '../../document/card-shapes.ts'
import type { Assembly } from '../assembly.ts'
import { toTemplate } from '../pieces.ts'
import { isSet, type Json, numberIn, textIn, textsIn, valueIn } from '../reading.ts'

const kinds: Record<string, CaptureCard['kind']> = {
  'text-input': 'raw',
  paragraph: 'raw',
  select: 'singleChoice',
  number: 'number',
  checkbox: 'confirmation',
  file: 'file',
  'file-list': 'file',
}

/** `node` is the id by which texts name the fields. */
export function toFormCards(bot: Assembly, node: string, fields: Json[]): Card[] {
  const asked = fields.filter(
    (field) => !isSet(field, 'hide') && textIn(field, 'variable') !== '',
  )
  if (asked.length === 0) return []
  return asked.map((field): Card => {
    const name = textIn(field, 'variable')
    const type = textIn(field, 'type')
    const kind = Object.hasOwn(kinds, type) ? kinds[type]! : 'raw'
    const options = textsIn(field, 'options').map((option) => {
      const text = toTemplate([option])
      return { label: text, value: text }
    })
    const max = kind === 'raw' ? undefined : numberIn(field, 'max')
    const label = toTemplate([textIn(field, 'label') || name])
    const isOptional = valueIn(field, 'required') === false
    return {
      type: 'capture',
      kind: kind === 'singleChoice' && options.length === 0 ? 'raw' : kind,
      question: isOptional ? `${label} (optional: write “-” to leave it empty)` : label,
      into: bot.variables.declare(`${node}.${name}`, name),
      ...(options.length > 0 && { options }),
      ...(max !== undefined && { max }),
      ...(isOptional && { cancelWords: ['-'] }),
    }
  })
}

/** Asks once in a conversation, and continues at the node. */
export function toFormOnce(
  bot: Assembly,
  cards: Card[],
  next: string | undefined,
): Card[] {
  if (cards.length === 0 || next === undefined) return cards
  const filled = bot.variables.declare('form filled', 'form filled', {
    type: 'boolean',
    value: false,
  })
  return [
    { type: 'transition', when: `${filled} === true`, to: next },
    ...cards,
    { type: 'set', variable: filled, value: true },
  ]
}

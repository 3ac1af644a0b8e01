// The texts of a card that people read, each with a key that stays the same when the flow changes. Runs in
// browsers.
import { escapePointer } from '../document/pointer.ts'

export interface CardText {
  /** Names and indexes of the text in the card. */
  path: string[]
  /** The same path, with options named by their values: `options/red/label`. */
  key: string
  text: string
}

/** Fields of cards with texts for people, by type. */
const fields: Record<string, readonly string[]> = {
  send: ['message'],
  capture: ['question', 'options', 'cancelLabel', 'retryMessage'],
  answer: ['sources', 'didYouMean', 'unknown'],
  handoff: ['message'],
}

/** Fields of messages and options with words. */
const words = new Set([
  'text',
  'markdown',
  'title',
  'subtitle',
  'label',
  'caption',
  'address',
])

const maxNameLength = 100

type Json = Record<string, unknown>

/** Returns the texts in the order of the card. Accepts a card of any form. */
export function listCardTexts(card: Json): CardText[] {
  const type = String(card.type)
  if (!Object.hasOwn(fields, type)) return []
  return fields[type]!.flatMap((name) => {
    const value = card[name]
    if (typeof value !== 'string') return [...textsInside(value, [name], name)]
    // Options in one text are an expression.
    return name === 'options' ? [] : [{ path: [name], key: name, text: value }]
  })
}

function* textsInside(value: unknown, path: string[], key: string): Generator<CardText> {
  if (typeof value !== 'object' || value === null) return
  const names = Array.isArray(value) ? toNames(value) : Object.keys(value)
  for (const [index, [name, inside]] of Object.entries(value).entries()) {
    const at = { path: [...path, name], key: `${key}/${escapePointer(names[index]!)}` }
    if (typeof inside === 'string') {
      if (words.has(name) || path.at(-1) === 'synonyms') yield { ...at, text: inside }
    } else if (name !== 'metadata') yield* textsInside(inside, at.path, at.key)
  }
}

/** Returns the values of options, if each has another one: their order may change. */
function toNames(list: unknown[]): string[] {
  const values = list.map((item) => (item as Json | null)?.value)
  const areNames =
    new Set(values).size === values.length &&
    values.every((value) => typeof value === 'string' && value.length <= maxNameLength)
  return areNames ? (values as string[]) : list.map((_, index) => String(index))
}

/** Returns a copy of the card in which the text at the path is another one. */
export function withText<Card extends object>(
  card: Card,
  path: string[],
  text: string,
): Card {
  const [name, ...rest] = path as [string, ...string[]]
  const value = (card as Json)[name]
  const changed = rest.length === 0 ? text : withText(value as object, rest, text)
  if (Array.isArray(card)) return card.with(Number(name), changed) as unknown as Card
  return { ...card, [name]: changed }
}

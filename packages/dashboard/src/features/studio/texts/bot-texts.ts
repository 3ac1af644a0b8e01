// Every sentence of a bot, for people who edit words and not flows.
import { toPointer } from '../draft/edits.ts'
import { isObject, type Json, listFlows, listNodes } from '../flows/bot-document.ts'
import { cardPointer } from '../flows/places.ts'
import { toCardTitle } from '../forms/bot-schema.ts'

export interface Sentence {
  pointer: string
  flow: string
  node: string
  card: string
  text: string
}

/** Fields of cards with words that people read. */
const fields = ['message', 'question', 'retryMessage', 'unknown', 'sources', 'didYouMean']
/** Fields of messages with words. */
const inside = ['text', 'markdown', 'title', 'subtitle', 'label']

export function listSentences(document: Json): Sentence[] {
  return listFlows(document).flatMap((flow) =>
    listNodes(document, flow).flatMap(([node, { cards }]) =>
      cards.flatMap((card, index) => {
        const pointer = cardPointer(flow, node, index)
        const found = [
          ...fields.flatMap((name) => findTexts(card[name], pointer + toPointer(name))),
          ...findLabels(card.options, `${pointer}/options`),
        ]
        return found.map((each) => ({ ...each, flow, node, card: toCardTitle(card.type) }))
      }),
    ),
  )
}

type Found = Pick<Sentence, 'pointer' | 'text'>

function findTexts(value: unknown, pointer: string): Found[] {
  if (typeof value === 'string') return [{ pointer, text: value }]
  return findLabels(value, pointer)
}

/** Texts under the names of words, at any depth. */
function findLabels(value: unknown, pointer: string): Found[] {
  if (Array.isArray(value))
    return value.flatMap((each, index) => findLabels(each, `${pointer}/${index}`))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, each]) => {
    const at = pointer + toPointer(name)
    if (typeof each === 'string') return inside.includes(name) ? [{ pointer: at, text: each }] : []
    return findLabels(each, at)
  })
}

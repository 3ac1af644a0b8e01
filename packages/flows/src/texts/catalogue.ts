// All texts of a bot that people read, with their translations, and the edits that change them. Drafts may
// have any value anywhere, so nothing is taken for granted. Runs in browsers.
import { allSentences, sentences, whichReading, yesOrNo } from '../captures/sentences.ts'
import { escapePointer } from '../document/pointer.ts'
import { isObject, type Json } from '../edits/edit.ts'
import { type CardText, listCardTexts } from './card-texts.ts'
import {
  type FoundTranslation,
  openLanguage,
  standardPrefix,
  type Translation,
} from './languages.ts'

export const toObject = (value: unknown): Json => (isObject(value) ? value : {})

/** A card with texts, at its place. */
interface TextCard {
  card: Json
  /** JSON pointer. */
  pointer: string
  flow: string
  node: string
  /** `textKey` of the card; without one, its place. */
  key: string
  /** `main.start.0`. */
  place: string
}

export interface BotText {
  /** `welcome/message`; of a card without `textKey`, its place: `main.start.0/message`. */
  key: string
  text: string
  /** JSON pointer; null for a sentence of the engine, which the document does not contain. */
  pointer: string | null
  /** Undefined for texts of no card. */
  flow?: string
  node?: string
  cardType?: string
  isShared?: boolean
}

/** Returns the cards that have texts. */
export const listTextCards = (document: unknown): TextCard[] =>
  Object.entries(toObject(toObject(document).flows)).flatMap(([flow, content]) =>
    Object.entries(toObject(toObject(content).nodes)).flatMap(([node, value]) => {
      const { cards } = toObject(value)
      return (Array.isArray(cards) ? cards : []).flatMap((card: unknown, index) =>
        hasTexts(card) ? [toTextCard(card, { flow, node, index })] : [],
      )
    }),
  )

/** The engine has sentences for captures without a question, too. */
const hasTexts = (card: unknown): card is Json =>
  isObject(card) && (card.type === 'capture' || listCardTexts(card).length > 0)

interface Place {
  flow: string
  node: string
  index: number
}

function toTextCard(card: Json, { flow, node, index }: Place): TextCard {
  const pointer = `/flows/${escapePointer(flow)}/nodes/${escapePointer(node)}/cards/${index}`
  const place = `${flow}.${node}.${index}`
  return { card, pointer, flow, node, place, key: findTextKey(card) ?? place }
}

/** Returns the key that the card keeps when it moves. */
export const findTextKey = ({ textKey }: Json): string | undefined =>
  typeof textKey === 'string' && textKey !== '' ? textKey : undefined

/** Returns the keys that several cards have, for example a card and its copy. */
export function listSharedKeys(cards: TextCard[]): Set<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()]
  for (const { key } of cards) (seen.has(key) ? shared : seen).add(key)
  return shared
}

const retryPointer = '/settings/defaults/retryMessage'
export const retryKey = '$settings/retryMessage'

/** Returns all texts in the order of the document, then the sentences of the engine that it may use. */
export function listTexts(document: unknown): BotText[] {
  const cards = listTextCards(document)
  const shared = listSharedKeys(cards)
  const texts = cards.flatMap((found) =>
    listCardTexts(found.card).map((text) =>
      toBotText(found, text, shared.has(found.key)),
    ),
  )
  const { retryMessage } = toObject(toObject(toObject(document).settings).defaults)
  if (typeof retryMessage === 'string')
    texts.push({ key: retryKey, text: retryMessage, pointer: retryPointer })
  return [...texts, ...listStandard(cards, retryMessage)]
}

const toBotText = (
  { pointer, flow, node, key, card }: TextCard,
  { path, key: inside, text }: CardText,
  isShared: boolean,
): BotText => ({
  key: `${key}/${inside}`,
  text,
  pointer: pointer + path.map((name) => `/${escapePointer(name)}`).join(''),
  flow,
  node,
  cardType: String(card.type),
  ...(isShared && { isShared }),
})

/** Returns the texts by their keys, and also by the places that were keys before their cards had one. */
export function indexTexts(document: unknown): Map<string, BotText> {
  const texts = new Map(listTexts(document).map((text) => [text.key, text]))
  for (const { key, place, card } of listTextCards(document))
    for (const { key: inside } of listCardTexts(card)) {
      const found = texts.get(`${key}/${inside}`)
      if (found && !texts.has(`${place}/${inside}`))
        texts.set(`${place}/${inside}`, found)
    }
  return texts
}

function listStandard(cards: TextCard[], retryMessage: unknown): BotText[] {
  const captures = cards
    .filter(({ card }) => card.type === 'capture')
    .map(({ card }) => card)
  const kinds = new Set(
    captures
      .filter((card) => card.retryMessage === undefined && retryMessage === undefined)
      .map(({ kind }) => kind),
  )
  const hasButtons = captures.some(
    ({ kind, options }) => kind === 'confirmation' && options === undefined,
  )
  const used = [
    ...Object.entries(sentences).filter(([kind]) => kinds.has(kind)),
    ...(hasButtons ? Object.entries(yesOrNo) : []),
    ...(captures.some(({ kind }) => kind === 'date' || kind === 'number')
      ? [['reading', whichReading] as const]
      : []),
  ]
  // Two kinds have the same sentence.
  return [...new Set(used.map(([, text]) => text))].map((text) => ({
    key: standardKeys.get(text)!,
    text,
    pointer: null,
  }))
}

const standardKeys = new Map(
  Object.entries(allSentences).map(([name, text]) => [text, standardPrefix + name]),
)

/** Returns the key of a sentence of the engine; undefined for other sentences. */
export const findStandardKey = (sentence: string): string | undefined =>
  standardKeys.get(sentence)

/** Returns the language of the flows, and the translations by language. */
export function readLanguages(document: unknown): {
  original: string | undefined
  translations: Record<string, Record<string, Translation>>
} {
  const { default: original, translations } = toObject(toObject(document).languages)
  return {
    original: typeof original === 'string' ? original : undefined,
    translations: Object.fromEntries(
      Object.entries(toObject(translations)).map(([language, texts]) => [
        language,
        toObject(texts) as Record<string, Translation>,
      ]),
    ),
  }
}

export interface TranslatedText extends BotText {
  /** By language. */
  translations: Record<string, FoundTranslation>
}

export interface TranslatedTexts {
  /** Language of the flows; undefined for a bot of one language. */
  original: string | undefined
  /** The other languages. */
  languages: string[]
  texts: TranslatedText[]
}

/** Returns the texts with their translations: those from the index `from` to before `to`. */
export function listTranslations(
  document: unknown,
  from = 0,
  to?: number,
): TranslatedTexts {
  const { original, translations } = readLanguages(document)
  const opened = Object.entries(translations).map(
    ([language, texts]) => [language, openLanguage(language, texts)] as const,
  )
  const translate = (text: BotText) =>
    Object.fromEntries(opened.map(([language, texts]) => [language, texts.find(text)]))
  return {
    original,
    languages: Object.keys(translations).filter((language) => language !== original),
    texts: listTexts(document)
      .slice(from, to)
      .map((text) => ({ ...text, translations: translate(text) })),
  }
}

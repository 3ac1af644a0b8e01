// The ways into a dialogue: words in a message, and a button below a greeting.
import { builtInFlows } from '../document/built-in-flows.ts'
import { escapePointer } from '../document/pointer.ts'
import { type DocumentEdit, isObject, type Json } from '../edits/edit.ts'
import {
  findTextKey,
  listTextCards,
  readLanguages,
  toObject,
} from '../texts/catalogue.ts'
import type { CommonAnswers } from './answers.ts'
import type { DialogueBuilder } from './builder.ts'
import { written } from './text.ts'

/** A card that greets, below which a button may stand. */
export interface Greeting {
  /** JSON pointer of the card. */
  pointer: string
  /** Its text; empty if it has none. */
  text: string
}

interface FoundCard extends Greeting {
  flow: string
  card: Json
  index: number
  /** Pointer of its list. */
  list: string
}

/** Returns the cards of the first steps of a conversation that send something. */
export const listGreetings = (document: Json): Greeting[] =>
  findGreetings(document).map(({ pointer, text }) => ({ pointer, text }))

interface FirstNode {
  flow: string
  /** Pointer of its cards. */
  list: string
  /** Undefined for a node without a list. */
  cards: unknown[] | undefined
}

/** Returns the nodes at which the flows of `conversationStarted` begin. */
const listStarted = (document: Json): FirstNode[] =>
  Object.values(toObject(document.triggers)).flatMap((trigger) => {
    const { type, flow, node } = toObject(trigger)
    return type === 'conversationStarted' && typeof flow === 'string'
      ? toFirstNode(document, flow, node)
      : []
  })

function toFirstNode(document: Json, flow: string, node?: unknown): FirstNode[] {
  const nodes = toObject(toObject(toObject(document.flows)[flow]).nodes)
  const name = findBegin(nodes, node)
  if (name === undefined) return []
  const list = `/flows/${escapePointer(flow)}/nodes/${escapePointer(name)}/cards`
  const { cards } = toObject(nodes[name])
  return [{ flow, list, cards: Array.isArray(cards) ? cards : undefined }]
}

/** Returns the nodes at which conversations begin, the first one that runs first. */
export const listFirstNodes = (document: Json): FirstNode[] => [
  ...listStarted(document),
  ...toFirstNode(document, builtInFlows.main),
]

function findGreetings(document: Json): FoundCard[] {
  const all = listFirstNodes(document)
  const different = new Map(all.map((one) => [one.list, one]))
  return [...different.values()].flatMap(({ flow, list, cards = [] }) =>
    cards.flatMap((card, index) => toGreeting(card, { flow, index, list })),
  )
}

function findBegin(nodes: Json, named: unknown): string | undefined {
  if (typeof named === 'string') return Object.hasOwn(nodes, named) ? named : undefined
  const types = ['trigger', 'entry', 'start']
  return types
    .map((type) => Object.keys(nodes).find((name) => toObject(nodes[name]).type === type))
    .find((name) => name !== undefined)
}

function toGreeting(
  card: unknown,
  at: { flow: string; index: number; list: string },
): FoundCard[] {
  if (!isObject(card) || (card.type !== 'send' && card.type !== 'capture')) return []
  // Without a list of buttons, a question would come after the button.
  if (card.type === 'capture' && findOptions(card) === null) return []
  const said = card.type === 'send' ? card.message : card.question
  const { text, markdown, title } = toObject(said)
  const found = [said, text, markdown, title].find((one) => typeof one === 'string')
  return [{ ...at, card, pointer: `${at.list}/${at.index}`, text: String(found ?? '') }]
}

/** Returns the path of a list of buttons, each with its own value, and the list. */
function findOptions(card: Json): { path: string; options: Json[] } | null {
  const isMessage = card.type === 'send'
  const { type, options: sent } = toObject(card.message)
  if (isMessage && type !== 'choice' && type !== 'dropdown') return null
  if (!isMessage && card.kind !== 'singleChoice') return null
  const options = isMessage ? sent : card.options
  if (!Array.isArray(options) || !options.every(isObject)) return null
  const values = options.map(({ value }) => value)
  const areNames = values.every(
    (value) => typeof value === 'string' && value.length <= 100,
  )
  if (!areNames || new Set(values).size < values.length) return null
  return { path: isMessage ? '/message/options' : '/options', options: options as Json[] }
}

const maxOptions = 50

/** Adds the trigger of the dialogue, and its button. */
export function addWays(builder: DialogueBuilder, answers: CommonAnswers): void {
  const { button, greeting, words } = answers
  const greetings = button === '' ? [] : addButton(builder, answers, greeting)
  const wanted = button === '' ? words : [...words, button]
  builder.insert('triggers', builder.flow, {
    type: 'event',
    event: 'message_created',
    flow: builder.flow,
    when: toCondition(builder.flow, wanted, greetings),
  })
}

/** Letters of scripts that do not separate words. */
const unseparated =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const between = '[^\\p{L}\\p{M}\\p{N}]+'

/** Returns the words in lower case, each between spaces. */
export const toPhrase = (words: string): string => {
  const plain = words.toLowerCase().replaceAll(new RegExp(between, 'gu'), ' ').trim()
  return unseparated.test(plain) || plain === '' ? plain : ` ${plain} `
}

/** Values of buttons, which stay when their labels are renamed or translated. */
export const buttonPrefix = 'start:'

/** Parts of the condition of a trigger, as JavaScript. */
interface BeginningParts {
  /** List of the flows in which the conversation may be; undefined is none. */
  flows: string
  /** Value of the button. */
  button: string
  /** List of phrases. */
  phrases: string
}

/**
 * Returns the condition of a trigger: the button of the dialogue was pressed, or the message contains one of
 * the words, and no other dialogue waits for an answer.
 */
export const toBeginningCondition = ({
  flows,
  button,
  phrases,
}: BeginningParts): string =>
  `${flows}.includes(event.state.context.currentFlow) && ` +
  `(String(event.payload.value).startsWith(${JSON.stringify(buttonPrefix)}) ` +
  `? event.payload.value === ${button} ` +
  `: ${phrases}.some((words) => ` +
  `\` \${event.preview.toLowerCase().replace(/${between}/gu, " ")} \`.includes(words)))`

function toCondition(flow: string, words: string[], flows: string[]): string {
  const phrases = [...new Set(words.map(toPhrase))].filter((phrase) => phrase !== '')
  const from = [builtInFlows.main, ...flows.filter((flow) => flow !== builtInFlows.main)]
  const names = from.map((name) => `${JSON.stringify(name)}, `).join('')
  return toBeginningCondition({
    flows: `[${names}undefined]`,
    button: JSON.stringify(buttonPrefix + flow),
    phrases: JSON.stringify(phrases),
  })
}

/** The list of phrases in a condition that a wizard made. */
const phraseList = /(\[(?:"(?:[^"\\]|\\.)*",?)*\])(?=\.some\(\(words\) => )/

function readPhrases(text: string | undefined): string[] | null {
  try {
    const phrases: unknown = JSON.parse(text ?? 'null')
    const areTexts =
      Array.isArray(phrases) && phrases.every((one) => typeof one === 'string')
    return areTexts ? phrases : null
  } catch {
    return null
  }
}

/**
 * Returns the phrases in messages that begin a dialogue, as `toPhrase` writes them; null for a trigger that
 * no wizard has made.
 */
export function readBeginnings(trigger: unknown): string[] | null {
  const { when } = toObject(trigger)
  return typeof when === 'string' ? readPhrases(phraseList.exec(when)?.[1]) : null
}

/** Returns the edit that replaces the words of a trigger that has such. */
export function toBeginningsEdit(
  pointer: string,
  trigger: unknown,
  words: string[],
): DocumentEdit {
  const phrases = [...new Set(words.map(toPhrase))].filter((phrase) => phrase !== '')
  const when = String(toObject(trigger).when)
  const value = when.replace(phraseList, () => JSON.stringify(phrases))
  return { op: 'set', pointer: `${pointer}/when`, value }
}

/** Returns the flows of the greeting. */
function addButton(
  builder: DialogueBuilder,
  answers: CommonAnswers,
  pointer: string | null,
): string[] {
  const { button } = answers
  const option = {
    label: builder.say(written(button, builder.language)),
    value: buttonPrefix + builder.flow,
  }
  const found = findGreetings(builder.document).find((one) => one.pointer === pointer)
  if (!found || hasPlaceKeys(builder.document, found))
    return [addGreeting(builder, answers, option)]
  const list = findList(builder, found, option.value)
  if (list !== null) {
    builder.edit({ op: 'insert', pointer: list, value: option })
    return [found.flow]
  }
  if (found.card.type === 'capture') return [addGreeting(builder, answers, option)]
  const card = toButtons(builder, answers, option)
  builder.edit({ op: 'insert', pointer: `${found.list}/${found.index + 1}`, value: card })
  return [found.flow]
}

/** Returns the pointer of a new button in the card, or in the buttons right below it; null without a list. */
function findList(
  builder: DialogueBuilder,
  { flow, list, index }: FoundCard,
  value: string,
) {
  const beside = findGreetings(builder.document).filter(
    (one) =>
      one.flow === flow && one.list === list && [index, index + 1].includes(one.index),
  )
  for (const { card, pointer } of beside) {
    const found = findOptions(card)
    if (!found || found.options.length >= maxOptions || !canTranslate(builder, card))
      continue
    if (found.options.some((one) => one.value === value)) continue
    return `${pointer}${found.path}/${found.options.length}`
  }
  return null
}

/** Whether translations name cards of the node by their places, which another card would move. */
const hasPlaceKeys = (document: Json, { list }: { list: string }): boolean => {
  const [, , flow, , node] = list.split('/')
  const { translations } = readLanguages(document)
  return Object.values(translations).some((texts) =>
    Object.keys(texts).some((key) => key.startsWith(`${flow}.${node}.`)),
  )
}

/** A card cannot be translated for itself if another one has its key. */
const canTranslate = ({ document }: DialogueBuilder, card: Json) => {
  const key = findTextKey(card)
  const cards = listTextCards(document)
  return cards.filter((one) => one.key === key).length <= 1
}

const toButtons = (
  builder: DialogueBuilder,
  { greetingText }: CommonAnswers,
  option: Json,
) => ({
  type: 'send',
  message: {
    type: 'choice',
    text: builder.say(written(greetingText, builder.language)),
    options: [option],
  },
})

/** Only the first trigger of `conversationStarted` fires: its flow greets with the button, too. */
function addGreeting(
  builder: DialogueBuilder,
  answers: CommonAnswers,
  option: Json,
): string {
  const card = toButtons(builder, answers, option)
  const [started] = listStarted(builder.document)
  if (started) {
    const { flow, list, cards } = started
    const at = hasPlaceKeys(builder.document, started) ? cards?.length : 0
    if (cards) builder.edit({ op: 'insert', pointer: `${list}/${at}`, value: card })
    else builder.edit({ op: 'set', pointer: list, value: [card] })
    return flow
  }
  const nodes = { start: { type: 'entry', cards: [card] } }
  const flow = builder.insert('flows', 'greeting', { nodes })
  builder.insert('triggers', flow, { type: 'conversationStarted', flow })
  return flow
}

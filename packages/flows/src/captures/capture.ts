// Capture cards: builds the question and evaluates the answer. The engine counts the attempts.

import type { Surroundings } from '../code/surroundings.ts'
import { evaluate, type Filling, fill } from '../code/template.ts'
import type { CaptureCard } from '../document/card-shapes.ts'
import type { Settings } from '../document/document.ts'
import type { MessageTemplate } from '../document/message-shapes.ts'
import type { BotEvent } from '../engine/event-types.ts'
import { preview } from '../tracing/preview.ts'
import { type Option, toOptions } from './choices.ts'
import type { Extraction } from './extraction.ts'
import { firstLocale } from './locales.ts'
import {
  type ExpectedAnswer,
  type ReadResult,
  readAnswer,
  readExtracted,
  textIn,
} from './readers.ts'
import { sentences, yesOrNo } from './sentences.ts'
import { plain } from './words.ts'

const defaultRetries = 3

interface CaptureQuestion {
  card: CaptureCard
  defaults?: Settings['defaults']
  surroundings: Surroundings
  filling: Filling
  /** Of the user, in bots with several languages. */
  language?: string | undefined
  /** Returns a sentence of the engine in the language of the user. */
  translate?: (sentence: string) => string
  /** Finds a value in a text by a model, for cards with `byModel`. Returns null without one. */
  extract?: (extraction: Extraction) => Promise<unknown>
}

type MessageContent = { type: string; [field: string]: unknown }

/** `again`: the answer is unsuitable, and the bot sends `say`. */
type CaptureResult =
  | { outcome: 'captured'; value: unknown }
  | { outcome: 'cancelled' }
  | { outcome: 'failed'; reason: string }
  | { outcome: 'again'; say: MessageContent }

/**
 * Returns the message with the question, or null if the card has none. If the question is a text,
 * choices are added as buttons.
 */
export async function findQuestion({
  card,
  surroundings,
  filling,
  translate = asWritten,
}: CaptureQuestion): Promise<MessageContent | null> {
  if (card.question === undefined) return null
  const question = toMessageContent(await fill(card.question, surroundings, filling))
  if (question.type !== 'text') return question
  const options = await optionsFor(card, surroundings, filling)
  const offered =
    card.kind === 'confirmation' && options.length === 0 ? toYesOrNo(translate) : options
  const isChoice = card.kind.endsWith('Choice') || card.kind === 'confirmation'
  const cancelling = await cancelOptions(card, surroundings, filling)
  return offer(question, [...(isChoice ? offered : []), ...cancelling])
}

/** Returns the button that cancels, if the card has one. */
async function cancelOptions(
  { cancelLabel }: CaptureCard,
  surroundings: Surroundings,
  filling: Filling,
): Promise<Option[]> {
  const label =
    cancelLabel === undefined ? '' : await fill(cancelLabel, surroundings, filling)
  return label === '' || label === null
    ? []
    : [{ label: String(label), value: String(label) }]
}

/** Evaluates an answer. `asked` is the number of questions so far, from 1. */
export async function answerTo(
  event: BotEvent,
  asked: number,
  asking: CaptureQuestion,
): Promise<CaptureResult> {
  const { card, defaults = {}, surroundings, filling, translate = asWritten } = asking
  const words = card.cancelWords ?? defaults.cancelWords ?? []
  const text = plain(textIn(event))
  const cancelling = await cancelOptions(card, surroundings, filling)
  const labels = cancelling.map(({ label }) => label)
  if (text !== '' && [...words, ...labels].some((word) => plain(word) === text))
    return { outcome: 'cancelled' }
  const reading = await read(event, asking)
  if ('value' in reading) return { outcome: 'captured', value: reading.value }
  if (asked > (card.retries ?? defaults.retries ?? defaultRetries))
    return { outcome: 'failed', reason: reading.unfit }
  if (reading.readings) {
    // Also with an own message, which does not name them.
    const which = textMessage(translate(reading.unfit))
    return { outcome: 'again', say: offer(which, [...reading.readings, ...cancelling]) }
  }
  const retry = card.retryMessage ?? defaults.retryMessage
  const say =
    retry === undefined
      ? textMessage(translate(reading.unfit))
      : toMessageContent(await fill(retry, surroundings, filling))
  if (say.type !== 'text') return { outcome: 'again', say }
  const isChoice = card.kind.endsWith('Choice')
  const offered = isChoice ? await optionsFor(card, surroundings, filling) : []
  return { outcome: 'again', say: offer(say, [...offered, ...cancelling]) }
}

async function read(event: BotEvent, asking: CaptureQuestion): Promise<ReadResult> {
  const { card, defaults, surroundings, filling, language } = asking
  const { min, max } = (await fill(
    { min: card.min, max: card.max },
    surroundings,
    filling,
  )) as Record<'min' | 'max', number | string | undefined>
  const now = new Date(surroundings.clock?.() ?? Date.now())
  const options = await optionsFor(card, surroundings, filling)
  const wanted = {
    kind: card.kind,
    pattern: card.pattern,
    min: min ?? undefined,
    max: max ?? undefined,
    options,
    now,
    timezone: defaults?.timezone ?? 'utc',
    locale: firstLocale(defaults?.locale, surroundings.scopes.user.locale, language),
  }
  const byRules = readAnswer(event, wanted)
  const isUnread = 'unfit' in byRules && !byRules.wasFound
  const reading = isUnread
    ? ((await readByModel(event, wanted, asking)) ?? byRules)
    : byRules
  if ('unfit' in reading || card.validate === undefined) return reading
  const data = { ...surroundings.data, value: reading.value }
  return (await evaluate(card.validate, { ...surroundings, data }, filling))
    ? reading
    : { unfit: sentences[card.kind] }
}

/** Returns null if the card does not use models, or the model finds nothing. */
async function readByModel(
  event: BotEvent,
  wanted: ExpectedAnswer,
  asking: CaptureQuestion,
): Promise<ReadResult | null> {
  const { card, extract, surroundings, filling } = asking
  const text = textIn(event)
  if (!card.byModel || !extract || text === '') return null
  const question = await findQuestion(asking)
  const model = (await fill(card.model, surroundings, filling)) as Extraction['model']
  const value = await extract({
    ...wanted,
    text,
    model: model || undefined,
    question: question && preview(question.type, question),
  })
  return value === null ? null : readExtracted(value, wanted)
}

const optionsFor = async (
  { options }: CaptureCard,
  surroundings: Surroundings,
  filling: Filling,
): Promise<Option[]> =>
  options === undefined ? [] : toOptions(await fill(options, surroundings, filling))

const asWritten = (sentence: string) => sentence

const toYesOrNo = (translate: (sentence: string) => string): Option[] => [
  { label: translate(yesOrNo.yes), value: 'yes' },
  { label: translate(yesOrNo.no), value: 'no' },
]

/** With more options, the message is a dropdown. */
const maxButtons = 6

function offer(question: MessageContent, options: Option[]): MessageContent {
  if (options.length === 0) return question
  const shown = options.map(({ label, value }) => ({ label, value }))
  const type = options.length > maxButtons ? 'dropdown' : 'choice'
  return { ...question, type, options: shown }
}

const textMessage = (text: string): MessageContent => ({ type: 'text', text })

/** Converts an evaluated message or text to a message. */
export const toMessageContent = (filled: unknown): MessageContent =>
  typeof filled === 'object' && filled !== null
    ? (filled as MessageTemplate)
    : textMessage(filled === undefined || filled === null ? '' : String(filled))

// Steps of Voiceflow that send something.
import type { Card } from '../../document/card-shapes.ts'
import { toNoteCard } from '../note-card.ts'
import { isLiteral, type Piece, toTemplate } from '../pieces.ts'
import { type Json, objectsIn, textIn, valueIn } from '../reading.ts'
import type { VoiceflowContext } from './context.ts'
import type { Ports, VoiceflowStep } from './source.ts'
import type { ToStep } from './step.ts'
import { findMessage } from './texts.ts'

/** One of several texts at random. */
export function sendOne(variants: Piece[][]): Card[] {
  const texts = variants.filter((pieces) => pieces.length > 0)
  if (texts.length === 0) return []
  if (texts.length === 1) return [{ type: 'send', message: toTemplate(texts[0]!) }]
  if (texts.every(isLiteral))
    return [
      {
        type: 'send',
        message: `{{ _.sample(${JSON.stringify(texts.map((pieces) => pieces.join('')))}) }}`,
      },
    ]
  return [{ type: 'send', message: toTemplate(texts[0]!) }]
}

export const toSpeech: ToStep = ({ texts }, { data }) => {
  const dialogs = objectsIn(data, 'dialogs')
  const all = dialogs.flatMap((dialog): Card[] => {
    const url = textIn(dialog, 'url')
    if (url !== '')
      return [{ type: 'send', message: { type: 'audio', audioUrl: texts.template(url) } }]
    const message = texts.template(textIn(dialog, 'content'))
    return message === '' ? [] : [{ type: 'send', message }]
  })
  return { cards: data.randomize === true ? all.slice(0, 1) : all }
}

export const toMessage: ToStep = ({ texts, file }, { data }) => {
  const found = findMessage(file, textIn(data, 'messageID') || textIn(data, 'responseID'))
  const cards = sendOne(found.map((text) => texts.richPieces(text)))
  return cards.length > 0
    ? { cards }
    : {
        cards: [toNoteCard('Not imported: message', [JSON.stringify(data, null, 2)])],
        result: 'omitted',
        note: 'The file does not have the text of this message',
      }
}

interface Button {
  id: string
  name: string
  target: string | undefined
}

export const toButtons = (data: unknown, { byKey, dynamic }: Ports): Button[] =>
  objectsIn(data, 'buttons').map((button, index) => ({
    id: textIn(button, 'id'),
    name: textIn(button, 'name'),
    target: byKey.get(textIn(button, 'id')) ?? dynamic[index],
  }))

/** A choice, and a transition for each button. */
export function toChoice(
  { bot, texts }: VoiceflowContext,
  step: VoiceflowStep,
  buttons: Button[],
  question?: string,
): Card[] {
  const shown = buttons.filter(({ name }) => name.trim() !== '')
  const into = bot.variables.declare(`choice:${step.id}`, 'choice')
  if (shown.length === 0)
    return [{ type: 'capture', kind: 'raw', into, ...(question && { question }) }]
  return [
    {
      type: 'capture',
      kind: 'singleChoice',
      ...(question && { question }),
      options: shown.map(({ name }, index) => ({
        label: texts.template(name),
        value: String(index + 1),
      })),
      into,
      ...(step.ports.otherwise && { onFail: step.ports.otherwise }),
    },
    ...shown.flatMap(({ target }, index): Card[] =>
      target === undefined
        ? []
        : [{ type: 'transition', when: `${into} === "${index + 1}"`, to: target }],
    ),
  ]
}

const toCard = ({ texts }: VoiceflowContext, card: Json) => {
  const [imageUrl, subtitle] = [
    textIn(card, 'imageUrl'),
    texts.rich(valueIn(card, 'description') ?? textIn(card, 'text')),
  ]
  return {
    title: texts.template(textIn(card, 'title')) || ' ',
    ...(subtitle && { subtitle }),
    ...(imageUrl && { imageUrl: texts.template(imageUrl) }),
    actions: [],
  }
}

export const toCards: ToStep = (context, step) => {
  const { data, ports } = step
  const isCarousel = step.type === 'carousel'
  const cards = isCarousel ? objectsIn(data, 'cards') : [data]
  const buttons = cards.flatMap((card) => toButtons(card, ports))
  const message = isCarousel
    ? { type: 'carousel', items: cards.map((card) => toCard(context, card)) }
    : { type: 'card', ...toCard(context, data) }
  const send: Card = { type: 'send', message }
  return {
    cards:
      buttons.length > 0
        ? [send, ...toChoice(context, step, buttons, 'Please choose:')]
        : [send],
  }
}

export const toImage: ToStep = ({ texts }, { data }) => {
  const imageUrl = texts.template(textIn(data, 'image') || textIn(data, 'url'))
  return {
    cards:
      imageUrl === '' ? [] : [{ type: 'send', message: { type: 'image', imageUrl } }],
  }
}

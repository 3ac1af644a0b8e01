// Messages of bots as messages of WhatsApp (https://developers.facebook.com/docs/whatsapp/cloud-api/messages).
import { ChannelError, type Context, type OutgoingMessage } from '../channel.ts'
import {
  type Card,
  type CardAction,
  readBloc,
  readCards,
  toCardText,
} from '../messages.ts'
import { readOptions } from '../text/choices.ts'
import { toWrittenParts, writeWithin } from '../text/long-text.ts'
import {
  type Choice,
  fitsLinkButton,
  toInteractive,
  toLinkButton,
  toNumbered,
} from './interactive.ts'
import { findMediaKind, toMedia } from './media.ts'
import { whatsappNotation as notation } from './notation.ts'
import { toTemplatePart } from './template-components.ts'
import { readTemplate } from './templates.ts'
import type { Part } from './types.ts'

const maxText = 4_096
const maxBody = 1_024

type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

/** Throws ChannelError ("rejected") for a message that WhatsApp cannot show. */
export async function toParts(
  context: Context,
  phoneId: string,
  message: Content,
): Promise<Part[]> {
  const { type, payload } = message
  if (type === 'text' && payload.whatsappTemplate !== undefined)
    return [
      await toTemplatePart(context, phoneId, readTemplate(payload.whatsappTemplate)),
    ]
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'location') return [toLocation(payload)]
  if (type === 'choice' || type === 'dropdown') return toChoice(message)
  if (type === 'card' || type === 'carousel') return toCards(context, phoneId, message)
  if (type === 'bloc') return toBloc(context, phoneId, message)
  if (findMediaKind(type)) return toMedia(context, phoneId, { type, payload })
  throw new ChannelError('rejected', `WhatsApp shows no messages of the type "${type}"`)
}

const toText = (body: string): Part => ({
  type: 'text',
  text: { body, preview_url: /https?:\/\//.test(body) },
})

const toTexts = async (markdown: string): Promise<Part[]> =>
  (await toWrittenParts(markdown, { notation, limit: maxText })).map(toText)

function toLocation({
  latitude,
  longitude,
  title,
  address,
}: Record<string, unknown>): Part {
  const named = { ...(title ? { name: title } : {}), ...(address ? { address } : {}) }
  return { type: 'location', location: { latitude, longitude, ...named } }
}

/** The options are below the last part of a long text. */
async function toChoice(message: Content): Promise<Part[]> {
  const { payload, type } = message
  const choices = readOptions(message).map((option, index) => ({ ...option, index }))
  const texts = await toWrittenParts(String(payload.text), { notation, limit: maxBody })
  const interactive = toInteractive({
    messageId: message.id,
    body: texts.at(-1) ?? '…',
    choices,
    prefersList: type === 'dropdown',
    listLabel: payload.buttonLabel,
  })
  if (!interactive) return toTexts(toNumbered(String(payload.text), choices))
  return [...texts.slice(0, -1).map(toText), interactive]
}

async function toCards(
  context: Context,
  phoneId: string,
  message: Content,
): Promise<Part[]> {
  const parts: Part[] = []
  let index = 0
  for (const card of readCards(message)) {
    const choices = card.actions
      .filter(({ action }) => action !== 'url')
      .map((action) => ({ ...action, index: index++ }))
    parts.push(
      ...(await toCard(context, phoneId, { messageId: message.id, card, choices })),
    )
  }
  return parts
}

interface CardWithChoices {
  messageId: string
  card: Card
  choices: Choice[]
}

async function toCard(
  context: Context,
  phoneId: string,
  { messageId, card, choices }: CardWithChoices,
): Promise<Part[]> {
  const links = card.actions.filter(({ action }) => action === 'url')
  const image = card.imageUrl
    ? await toMedia(context, phoneId, {
        type: 'image',
        payload: { imageUrl: card.imageUrl },
      })
    : []
  const header = image[0]?.type === 'image' ? image[0] : undefined
  const [link, ...others] = links
  const fitsLink =
    link &&
    others.length === 0 &&
    choices.length === 0 &&
    fitsLinkButton(link.label, link.value)
  const rich = toCardText(card)
  const texts = writeWithin(rich, { notation, limit: maxBody })
  const body = fitsLink
    ? texts.join('\n')
    : [...texts, ...links.map(writeLink)].join('\n')
  const shown =
    body.length <= maxBody &&
    (fitsLink
      ? toLinkButton(body, link.label, link.value, header)
      : toInteractive({ messageId, body, choices, ...(header && { header }) }))
  if (shown) return header ? [shown] : [...image, shown]
  return [...image, ...toPlainCard(body, messageId, choices)]
}

const writeLink = ({ label, value }: CardAction) => `${label}: ${value}`

/** Of a card with buttons that do not fit below its picture. */
function toPlainCard(body: string, messageId: string, choices: Choice[]): Part[] {
  const interactive =
    body.length <= maxBody ? toInteractive({ messageId, body, choices }) : null
  if (interactive) return [interactive]
  const text = toNumbered(body, choices)
  const rich = { text, marks: [] }
  return writeWithin(rich, { notation: {}, limit: maxText }).map(toText)
}

async function toBloc(
  context: Context,
  phoneId: string,
  message: Content,
): Promise<Part[]> {
  const items = readBloc(message)
  const parts: Part[] = []
  for (const item of items)
    parts.push(...(await toParts(context, phoneId, { id: message.id, ...item })))
  return parts
}

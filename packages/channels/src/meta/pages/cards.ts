// Cards as the generic template, and as text where they do not fit
// (https://developers.facebook.com/docs/messenger-platform/send-messages/template/generic).
import type { Context } from '../../channel.ts'
import { type Card, readCards, readLines, toCardText } from '../../messages.ts'
import { toButtonData, writeOptions } from '../../text/choices.ts'
import { writeWithin } from '../../text/long-text.ts'
import { toRichText, writeRichText } from '../../text/rich-text.ts'
import type { PageProvider, Part } from './types.ts'

const maxElements = 10
const maxTitle = 80
const maxButtons = 3
const maxLabel = 20

type Element = Record<string, unknown>

/** Cards that fit and follow each other are one message. */
export async function toCards(
  context: Context,
  provider: PageProvider,
  message: { id: string; type: string; payload: Record<string, unknown> },
): Promise<Part[]> {
  const parts: Part[] = []
  let index = 0
  let elements: Element[] = []
  for (const card of readCards(message)) {
    const subtitle = writeRichText(toRichText(card.subtitle ?? ''), {})
    if (fits(card, subtitle)) elements.push(toElement(message.id, card, subtitle, index))
    else {
      parts.push(
        ...toTemplates(elements),
        ...(await toPlainCard(context, provider, card, index)),
      )
      elements = []
    }
    index += card.actions.filter(({ action }) => action !== 'url').length
  }
  return [...parts, ...toTemplates(elements)]
}

/** A title alone is no element. */
const fits = ({ title, imageUrl, actions }: Card, subtitle: string) =>
  title.length <= maxTitle &&
  subtitle.length <= maxTitle &&
  actions.length <= maxButtons &&
  actions.every(({ label }) => label.length <= maxLabel) &&
  Boolean(subtitle || imageUrl || actions.length > 0)

function toElement(
  messageId: string,
  card: Card,
  subtitle: string,
  from: number,
): Element {
  let index = from
  const buttons = card.actions.map(({ action, label, value }) =>
    action === 'url'
      ? { type: 'web_url', title: label, url: value }
      : { type: 'postback', title: label, payload: toButtonData(messageId, index++) },
  )
  return {
    title: card.title,
    ...(subtitle && { subtitle }),
    ...(card.imageUrl && { image_url: card.imageUrl }),
    ...(buttons.length > 0 && { buttons }),
  }
}

function toTemplates(elements: Element[]): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < elements.length; i += maxElements) {
    const payload = {
      template_type: 'generic',
      elements: elements.slice(i, i + maxElements),
    }
    parts.push({ message: { attachment: { type: 'template', payload } } })
  }
  return parts
}

async function toPlainCard(
  { host }: Context,
  { text, takesUploads }: PageProvider,
  card: Card,
  index: number,
): Promise<Part[]> {
  const { imageUrl, actions } = card
  const file = imageUrl && takesUploads ? await host.readFile(imageUrl) : null
  const payload = { is_reusable: false, ...(!file && { url: imageUrl }) }
  const image = {
    message: { attachment: { type: 'image', payload } },
    ...(file && { file }),
  }
  const links = actions.filter(({ action }) => action === 'url')
  const title = writeRichText(toCardText(card), {})
  const body = readLines([
    title,
    ...links.map(({ label, value }) => `${label}: ${value}`),
  ])
  const options = actions.filter(({ action }) => action !== 'url')
  const rich = { text: writeOptions(body, options, index + 1), marks: [] }
  const texts = writeWithin(rich, { notation: {}, ...text }).map((part) => ({
    message: { text: part },
  }))
  return [...(imageUrl ? [image] : []), ...texts]
}

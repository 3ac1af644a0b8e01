// Messages of bots as messages of Google Chat.
import { ChannelError, type OutgoingMessage } from '../channel.ts'
import { toFileName } from '../media-files.ts'
import { readBloc, readLines, writeLocation } from '../messages.ts'
import { readOptions, writeOptions } from '../text/choices.ts'
import { toWrittenParts } from '../text/long-text.ts'
import { type Part, toCardPart, toCardParts, toImage, toOptionWidget } from './cards.ts'
import { chatNotation } from './formatting.ts'

type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

const maxText = 4_000

/** Throws ChannelError ("rejected") for a message that Google Chat cannot show. */
export async function toParts(message: Content): Promise<Part[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'choice' || type === 'dropdown') return toChoice(message)
  if (type === 'card' || type === 'carousel') return toCardParts(message)
  if (type === 'location') return toTexts(writeLocation(payload))
  if (type === 'bloc') return toBloc(message)
  if (type === 'image' && /^https:/i.test(String(payload.imageUrl)))
    return toPicture(payload)
  if (/^(?:image|audio|video|file)$/.test(type)) return toTexts(toLink(type, payload))
  throw new ChannelError(
    'rejected',
    `Google Chat shows no messages of the type "${type}"`,
  )
}

const toTexts = async (markdown: string): Promise<Part[]> =>
  (await toWrittenParts(markdown, { notation: chatNotation, limit: maxText })).map(
    (text) => ({
      text,
    }),
  )

/** Apps cannot upload files: the address opens it. */
function toLink(type: string, payload: Record<string, unknown>): string {
  const url = String(payload[`${type}Url`])
  const name = String(payload.title || toFileName(url)).replace(/[[\]\\]/g, '\\$&')
  return readLines([`[${name}](<${url}>)`, payload.caption])
}

async function toPicture(payload: Record<string, unknown>): Promise<Part[]> {
  const below = readLines([payload.caption ?? payload.title])
  const image = toCardPart([
    toImage(String(payload.imageUrl), below.slice(0, 1_000) || 'image'),
  ])
  return [image, ...(await toTexts(below))]
}

async function toChoice(message: Content): Promise<Part[]> {
  const options = readOptions(message)
  const text = String(message.payload.text)
  const widget = toOptionWidget(message.id, options, message.type === 'dropdown')
  if (!widget) return toTexts(writeOptions(text, options))
  const parts = await toTexts(text)
  if (options.length === 0) return parts
  return [...parts.slice(0, -1), { ...parts.at(-1), ...toCardPart([widget]) }]
}

async function toBloc({ id, payload }: Content): Promise<Part[]> {
  const items = readBloc({ payload })
  return (await Promise.all(items.map((item) => toParts({ id, ...item })))).flat()
}

// Messages of bots as activities of Teams.
import { ChannelError, type OutgoingMessage } from '../channel.ts'
import { toFileName } from '../media-files.ts'
import { readBloc, readLines, writeLocation } from '../messages.ts'
import { readOptions, writeOptions } from '../text/choices.ts'
import { toWrittenParts } from '../text/long-text.ts'
import { toButtonCard, toCardParts, toChoiceSet } from './cards.ts'
import { teamsNotation } from './formatting.ts'

type Part = Record<string, unknown>
type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

/** Teams admits 100 KB, at two bytes for a character, with all that belongs to a message. */
const maxText = 20_000
const maxMenu = 200
const maxMenuLength = 20_000

/** Throws ChannelError ("rejected") for a message that Teams cannot show. */
export async function toParts(message: Content): Promise<Part[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'choice' || type === 'dropdown') return toChoice(message)
  if (type === 'card' || type === 'carousel') return toCardParts(message).map(toMessage)
  if (type === 'location') return toTexts(writeLocation(payload))
  if (type === 'bloc') return toBloc(message)
  if (type === 'image') return toImage(payload)
  if (type === 'audio' || type === 'video' || type === 'file')
    return toTexts(toLink(type, payload))
  throw new ChannelError('rejected', `Teams shows no messages of the type "${type}"`)
}

const toMessage = (part: object): Part => ({ type: 'message', ...part })

const toTexts = async (markdown: string): Promise<Part[]> =>
  (await toWrittenParts(markdown, { notation: teamsNotation, limit: maxText })).map(
    (text) => toMessage({ textFormat: 'markdown', text }),
  )

/** Bots upload files only after a person has agreed: the address opens it. */
function toLink(type: string, payload: Record<string, unknown>): string {
  const url = String(payload[`${type}Url`])
  const name = String(payload.title || toFileName(url)).replace(/[[\]\\]/g, '\\$&')
  return readLines([`[${name}](<${url}>)`, payload.caption])
}

async function toImage(payload: Record<string, unknown>): Promise<Part[]> {
  const contentUrl = String(payload.imageUrl)
  const image = toMessage({ attachments: [{ contentType: 'image/*', contentUrl }] })
  return [image, ...(await toTexts(readLines([payload.caption ?? payload.title])))]
}

/** Few options are buttons, more are a menu, and those that fit neither are numbers. */
async function toChoice(message: Content): Promise<Part[]> {
  const options = readOptions(message)
  const text = String(message.payload.text)
  const card = message.type === 'choice' ? toButtonCard(message.id, options) : null
  const length = options.reduce((sum, { label }) => sum + label.length + 80, 0)
  if (!card && (options.length > maxMenu || length > maxMenuLength))
    return toTexts(writeOptions(text, options))
  const parts = await toTexts(text)
  if (options.length === 0) return parts
  const attachments = [card ?? toChoiceSet(message.id, options)]
  return [...parts.slice(0, -1), toMessage({ ...parts.at(-1), attachments })]
}

async function toBloc({ id, payload }: Content): Promise<Part[]> {
  const items = readBloc({ payload })
  return (await Promise.all(items.map((item) => toParts({ id, ...item })))).flat()
}

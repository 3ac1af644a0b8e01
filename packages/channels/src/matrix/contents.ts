// What people send in Matrix, as messages of the bot's conversation.
import type { Context } from '../channel.ts'
import { download } from './api.ts'
import type { MatrixContent, MatrixEvent } from './types.ts'

export interface Content {
  type: string
  payload: Record<string, unknown>
}

const toText = (text: string): Content => ({ type: 'text', payload: { text } })

const mediaTypes: Record<string, string | undefined> = {
  'm.image': 'image',
  'm.sticker': 'image',
  'm.audio': 'audio',
  'm.video': 'video',
  'm.file': 'file',
}

/** Nothing for a notice, which bots write for people. */
export async function readContents(
  context: Context,
  event: MatrixEvent,
): Promise<Content[]> {
  const content = event.content ?? {}
  const type = event.type === 'm.sticker' ? event.type : (content.msgtype ?? '')
  if (type === 'm.notice') return []
  const media = Object.hasOwn(mediaTypes, type) ? mediaTypes[type] : undefined
  if (media) return toMedia(context, media, event, content)
  const location = type === 'm.location' && toLocation(content)
  if (location) return [location]
  const text = readText(content)
  return text.trim() ? [toText(text)] : []
}

/** Clients repeat the original above a reply, as a quote. */
export function readText(content: MatrixContent): string {
  const body = typeof content.body === 'string' ? content.body : ''
  if (!content['m.relates_to']?.['m.in_reply_to'] || !body.startsWith('> ')) return body
  const lines = body.split('\n')
  const first = lines.findIndex((line) => !line.startsWith('> '))
  return first < 0
    ? body
    : lines.slice(lines[first] === '' ? first + 1 : first).join('\n')
}

function toLocation({ geo_uri, body }: MatrixContent): Content | null {
  const [, latitude, longitude] =
    /^geo:(-?[\d.]{1,20}),(-?[\d.]{1,20})/.exec(String(geo_uri)) ?? []
  const place = { latitude: Number(latitude), longitude: Number(longitude) }
  if (!Number.isFinite(place.latitude + place.longitude)) return null
  return { type: 'location', payload: { ...place, ...(body && { title: body }) } }
}

/** A text below it is a separate message. The homeserver gives files to people with a token only. */
async function toMedia(
  context: Context,
  type: string,
  event: MatrixEvent,
  content: MatrixContent,
): Promise<Content[]> {
  const { body, filename, url, info } = content
  const name = String(filename || body || type)
    .replace(/[\\/]/g, '_')
    .slice(0, 200)
  const caption = filename && body && body !== filename ? [toText(body)] : []
  const bytes = await download(context, String(url))
  if (!bytes)
    return [toText(`[${name}: the homeserver did not give the file]`), ...caption]
  const stored = await context.host.storeFile({
    key: `matrix/${event.event_id}/${name}`,
    name,
    contentType: String(info?.mimetype ?? 'application/octet-stream'),
    content: bytes,
  })
  const details = {
    ...(event.type === 'm.sticker' && { isSticker: true }),
    ...(content['org.matrix.msc3245.voice'] !== undefined && { isVoice: true }),
  }
  return [
    { type, payload: { [`${type}Url`]: stored, title: name, ...details } },
    ...caption,
  ]
}

// What people send by LINE, as messages of the bot's conversation.
import type { Context } from '../channel.ts'
import { download } from './api.ts'
import type { LineMessage } from './types.ts'

export interface Content {
  type: string
  payload: Record<string, unknown>
}

const toText = (text: string, more: Record<string, unknown> = {}): Content => ({
  type: 'text',
  payload: { text, ...more },
})

const media: Record<string, { contentType: string; ending: string } | undefined> = {
  image: { contentType: 'image/jpeg', ending: 'jpg' },
  audio: { contentType: 'audio/mp4', ending: 'm4a' },
  video: { contentType: 'video/mp4', ending: 'mp4' },
  file: { contentType: 'application/octet-stream', ending: 'bin' },
}

export async function readContent(
  context: Context,
  message: LineMessage,
): Promise<Content | null> {
  const { type, text, title, address, latitude, longitude } = message
  if (type === 'text' && text) return toText(text)
  if (type === 'location') {
    const named = { ...(title && { title }), ...(address && { address }) }
    return { type, payload: { latitude, longitude, ...named } }
  }
  if (type === 'sticker') return toSticker(message)
  return Object.hasOwn(media, type) ? toMedia(context, message) : null
}

/** LINE gives no picture of it. */
function toSticker({ text, keywords = [], packageId, stickerId }: LineMessage): Content {
  const said = text ?? keywords[0]
  return toText(said ? `[sticker: ${said}]` : '[sticker]', {
    sticker: { packageId, stickerId },
  })
}

/** LINE deletes its own copy after a while. */
async function toMedia(context: Context, message: LineMessage): Promise<Content> {
  const { id, type, fileName, contentProvider } = message
  const external =
    contentProvider?.type === 'external' && contentProvider.originalContentUrl
  if (external) return { type, payload: { [`${type}Url`]: external } }
  const loaded = await download(context, id)
  if (!loaded) return toText(`[${fileName ?? type}: LINE did not give the file]`)
  const { contentType, ending } = media[type]!
  const name = fileName ?? `${type}.${ending}`
  const url = await context.host.storeFile({
    key: `line/${id}/${name}`,
    name,
    contentType: loaded.contentType ?? contentType,
    content: loaded.content,
  })
  // Files with audio arrive as files.
  const voice = type === 'audio' && { isVoice: true }
  return {
    type,
    payload: { [`${type}Url`]: url, ...(fileName && { title: fileName }), ...voice },
  }
}

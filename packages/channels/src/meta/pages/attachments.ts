// Files, places and shared things that people send by Messenger and Instagram.
import { ChannelError, type Context } from '../../channel.ts'
import { readLines } from '../../messages.ts'
import { toFile } from '../graph.ts'
import type { Attachment } from './types.ts'

export interface Content {
  type: string
  payload: Record<string, unknown>
}

const mediaTypes = new Set(['image', 'audio', 'video', 'file'])
/** Larger than Meta admits. */
const maxBytes = 100 * 2 ** 20

/** `key` is the same for a repeated arrival. */
export async function readAttachment(
  context: Context,
  key: string,
  attachment: Attachment,
): Promise<Content> {
  const { type, payload } = attachment
  const { coordinates, url } = payload ?? {}
  if (coordinates) {
    const { lat: latitude, long: longitude } = coordinates
    return { type: 'location', payload: { latitude, longitude } }
  }
  if (url && mediaTypes.has(type)) return readMedia(context, key, attachment, url)
  const title = payload?.title ?? attachment.title
  const text = readLines([title, url ?? attachment.url]) || `[${type}]`
  return { type: 'text', payload: { text } }
}

/** The URL of Meta ends after days. */
async function readMedia(
  context: Context,
  key: string,
  { type, payload }: Attachment,
  url: string,
): Promise<Content> {
  const loaded = await download(context, url)
  if (!loaded)
    return { type: 'text', payload: { text: `[${type}: Meta did not give the file]` } }
  const name = toFileName(url, type)
  const stored = await context.host.storeFile({ key: `${key}/${name}`, name, ...loaded })
  const title = type === 'file' && { title: name }
  const sticker = payload?.sticker_id !== undefined && { isSticker: true }
  const voice = type === 'audio' && isRecorded.test(name) && { isVoice: true }
  return { type, payload: { [`${type}Url`]: stored, ...title, ...sticker, ...voice } }
}

const endings: Record<string, string> = { image: '.jpg', audio: '.m4a', video: '.mp4' }
/** Messenger names recordings so. Addresses of Instagram have no name, and its only audio is recorded. */
const isRecorded = /^audioclip-|^audio\.m4a$/

/** Null if the file is deleted or too large; a failure that may pass lets Meta repeat the notification. */
async function download(context: Context, url: string) {
  try {
    const response = await context.request(url, { timeoutMs: 60_000, maxBytes })
    const content = toFile(response)
    return {
      content,
      contentType: response.headers['content-type'] ?? 'application/octet-stream',
    }
  } catch (error) {
    if (error instanceof ChannelError && error.kind === 'rejected') return null
    throw error
  }
}

function toFileName(url: string, type: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  return /^[\w.-]{1,100}$/.test(last) ? last : type + (endings[type] ?? '')
}

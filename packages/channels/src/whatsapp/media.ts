// Files that bots send by WhatsApp (https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media).
import type { Context } from '../channel.ts'
import { readLines } from '../messages.ts'
import { splitText } from '../text/split.ts'
import { upload } from './api.ts'
import type { Part } from './types.ts'

const kinds: Record<string, { kind: string; url: string } | undefined> = {
  image: { kind: 'image', url: 'imageUrl' },
  audio: { kind: 'audio', url: 'audioUrl' },
  video: { kind: 'video', url: 'videoUrl' },
  file: { kind: 'document', url: 'fileUrl' },
}
const maxCaption = 1_024
const maxText = 4_096

export const findMediaKind = (type: string) => kinds[type]

/** WhatsApp loads the URL, unless the file is of this server, which it may not reach. */
export async function toMedia(
  context: Context,
  phoneId: string,
  { type, payload }: { type: string; payload: Record<string, unknown> },
): Promise<Part[]> {
  const { kind, url: field } = kinds[type]!
  const url = String(payload[field])
  const file = await context.host.readFile(url)
  const place = file ? { id: await upload(context, phoneId, file) } : { link: url }
  const isSticker = kind === 'image' && isWebp(file?.contentType, url)
  if (isSticker) return [{ type: 'sticker', sticker: place }]
  if (kind === 'audio') return [{ type: kind, audio: { ...place, ...toVoice(payload) } }]
  const name = kind === 'document' && { filename: toFileName(payload, file?.name, url) }
  const caption = readLines([
    payload.caption ?? (kind === 'document' ? null : payload.title),
  ])
  const isShort = caption.length <= maxCaption
  const content = { ...place, ...name, ...(caption && isShort && { caption }) }
  return [{ type: kind, [kind]: content }, ...(isShort ? [] : toTexts(caption))]
}

/** WhatsApp shows WebP as stickers only. */
const isWebp = (contentType: string | undefined, url: string) =>
  contentType === 'image/webp' || /\.webp(?:[?#]|$)/i.test(url)

const toVoice = ({ isVoice }: Record<string, unknown>) => (isVoice ? { voice: true } : {})

const toTexts = (text: string): Part[] =>
  splitText(text, maxText).map((body) => ({ type: 'text', text: { body } }))

/** People see the name, and WhatsApp opens the file by its ending. */
function toFileName(
  { filename, title }: Record<string, unknown>,
  stored = '',
  url = '',
): string {
  const last = stored || decodeName(url)
  const given = readLines([filename ?? title])
  const ending = /\.\w{1,8}$/.exec(last)?.[0] ?? ''
  if (!given) return last || 'file'
  return /\.\w{1,8}$/.test(given) ? given : given + ending
}

function decodeName(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
  } catch {
    return ''
  }
}

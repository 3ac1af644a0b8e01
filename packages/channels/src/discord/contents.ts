// Texts and files of people's messages.
import { ChannelError, type Context } from '../channel.ts'
import type { Attachment, DiscordMessage } from './types.ts'

export interface Content {
  type: string
  payload: Record<string, unknown>
}

const maxFileBytes = 50 * 2 ** 20
const voiceMessageFlag = 1 << 13

const toText = (text: string): Content => ({ type: 'text', payload: { text } })

export async function readContents(
  context: Context,
  message: DiscordMessage,
): Promise<Content[]> {
  const { attachments = [], content = '', sticker_items = [], flags = 0 } = message
  const contents: Content[] = []
  const isVoice = (flags & voiceMessageFlag) !== 0
  for (const one of attachments)
    contents.push(await readAttachment(context, one, isVoice))
  for (const { name } of sticker_items) contents.push(toText(`[${name}]`))
  if (content !== '') contents.push(toText(content))
  return contents
}

/** Discord's own URL ends after a day. */
async function readAttachment(
  context: Context,
  { id, filename: name, content_type, size, url }: Attachment,
  isVoice: boolean,
): Promise<Content> {
  if (size > maxFileBytes) return toText(`[${name}: larger than 50 MB]`)
  const { status, body } = await context.request(url, {
    timeoutMs: 60_000,
    maxBytes: maxFileBytes,
  })
  if (status === 429 || status >= 500)
    throw new ChannelError('unavailable', `Discord answered ${status} for a file`)
  if (status !== 200) return toText(`[${name}: Discord does not have it any more]`)
  const contentType = content_type ?? 'application/octet-stream'
  const stored = await context.host.storeFile({
    key: `discord/${id}/${name}`,
    name,
    contentType,
    content: body,
  })
  const type = /^(image|audio|video)\//.exec(contentType)?.[1] ?? 'file'
  return {
    type,
    payload: { [`${type}Url`]: stored, title: name, ...(isVoice && { isVoice }) },
  }
}

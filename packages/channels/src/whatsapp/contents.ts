// What people send by WhatsApp, as messages of the bot's conversation.
import type { Context } from '../channel.ts'
import { readLines } from '../messages.ts'
import { findPressed } from '../text/choices.ts'
import { download } from './api.ts'
import type { WhatsAppContent, WhatsAppMedia } from './types.ts'

export interface Content {
  type: string
  payload: Record<string, unknown>
}

const toText = (text: string, more: Record<string, unknown> = {}): Content => ({
  type: 'text',
  payload: { text, ...more },
})

/** Returns more than one for a file with a text below it. */
export async function readContents(
  context: Context,
  message: WhatsAppContent,
): Promise<Content[]> {
  const { text, location, contacts, button, interactive, order } = message
  if (text) return [toText(text.body)]
  if (location) return [toLocation(location)]
  if (contacts) return contacts.map(toContact)
  if (button)
    return [toText(button.text, button.payload ? { value: button.payload } : {})]
  if (interactive) return readAnswer(context, interactive)
  if (order) return [toText(order.text || '[order]', { order })]
  const media = await readMedia(context, message)
  if (media) return media
  // WhatsApp does not give polls, events and others to the API; system messages have no author.
  return ['unsupported', 'unknown'].includes(message.type)
    ? [toText('[a message of a kind that WhatsApp does not give to bots]')]
    : []
}

function toLocation({
  latitude,
  longitude,
  name,
  address,
}: NonNullable<WhatsAppContent['location']>) {
  const named = { ...(name && { title: name }), ...(address && { address }) }
  const place = { latitude: Number(latitude), longitude: Number(longitude) }
  return { type: 'location', payload: { ...place, ...named } }
}

/** A separate type would reach no bot: the text says it, and fields have its parts. */
function toContact(contact: NonNullable<WhatsAppContent['contacts']>[number]): Content {
  const name = contact.name?.formatted_name ?? ''
  const phone = contact.phones?.[0]?.phone ?? ''
  const email = contact.emails?.[0]?.email ?? ''
  const text = [name, phone, email].filter(Boolean).join(', ')
  return toText(text || '[contact]', {
    contact: { name, phone, ...(email && { email }) },
  })
}

/** A pressed button says its label, and has the value that the bot gave it. */
async function readAnswer(
  { host }: Context,
  { button_reply, list_reply, nfm_reply }: NonNullable<WhatsAppContent['interactive']>,
): Promise<Content[]> {
  const reply = button_reply ?? list_reply
  if (reply) {
    const pressed = await findPressed(host, reply.id)
    return [toText(pressed?.label ?? reply.title, { value: pressed?.value ?? reply.id })]
  }
  if (!nfm_reply) return []
  const { body, name, response_json } = nfm_reply
  return [toText(body || name || '[form]', response_json ? { value: response_json } : {})]
}

const kinds = {
  image: { type: 'image', field: 'imageUrl', contentType: 'image/jpeg' },
  sticker: { type: 'image', field: 'imageUrl', contentType: 'image/webp' },
  audio: { type: 'audio', field: 'audioUrl', contentType: 'audio/ogg' },
  video: { type: 'video', field: 'videoUrl', contentType: 'video/mp4' },
  document: { type: 'file', field: 'fileUrl', contentType: 'application/octet-stream' },
} as const

async function readMedia(
  context: Context,
  message: WhatsAppContent,
): Promise<Content[] | null> {
  const name = (Object.keys(kinds) as (keyof typeof kinds)[]).find((key) => message[key])
  const media = name && message[name]
  if (!media) return null
  const below = media.caption ? [toText(media.caption)] : []
  return [await toMedia(context, name, media), ...below]
}

/** WhatsApp's own URL needs the token, and ends after minutes. */
async function toMedia(
  context: Context,
  kind: keyof typeof kinds,
  media: WhatsAppMedia,
): Promise<Content> {
  const { type, field, contentType } = kinds[kind]
  const loaded = await download(context, media.id)
  if (!loaded)
    return toText(
      `[${readLines([media.filename]) || type}: WhatsApp did not give the file]`,
    )
  const actual =
    (media.mime_type ?? loaded.contentType ?? contentType).split(';')[0] ?? contentType
  const name = media.filename ?? `${type}.${toEnding(actual)}`
  const url = await context.host.storeFile({
    key: `whatsapp/${media.id}/${name}`,
    name,
    contentType: actual,
    content: loaded.content,
  })
  const named = media.filename && { title: media.filename, filename: media.filename }
  const voice = media.voice && { isVoice: true }
  return {
    type,
    payload: {
      [field]: url,
      ...named,
      ...voice,
      ...(kind === 'sticker' && { isSticker: true }),
    },
  }
}

/** The subtype is the usual ending for what WhatsApp records itself: jpeg, webp, ogg, mp4. */
const toEnding = (contentType: string) =>
  /^\w+\/([a-z0-9]{2,5})$/.exec(contentType)?.[1] ?? 'bin'

// Values of the variables of a template, as components of a message
// (https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-message-templates).
import { ChannelError, type Context } from '../channel.ts'
import { toFileName } from '../media-files.ts'
import { upload } from './api.ts'
import type { Part } from './types.ts'

/** Of positions, or by name. */
type Variables = (string | number)[] | Record<string, string | number>

/** One of the fields. */
interface Header {
  text?: Variables
  image?: string
  video?: string
  document?: string
  filename?: string
  location?: { latitude: number; longitude: number; name?: string; address?: string }
}

/** One of the fields. `url`: the end of the address. */
interface Button {
  url?: string
  quickReply?: string
  copyCode?: string
}

export interface TemplateMessage {
  name: string
  language: string
  header: Header
  body: Variables
  /** In the order of the template; null for a button without a variable. */
  buttons: (Button | null)[]
}

type Given = Record<string, unknown>

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (value: unknown) => ['string', 'number'].includes(typeof value)
const isFilled = (value: unknown): value is string =>
  typeof value === 'string' && value !== ''

const rejected = (message: string) => new ChannelError('rejected', message)

/** `field` is where the values are. Throws ChannelError ("rejected"). */
export function readVariables(value: unknown, field: string): Variables {
  if (value === undefined) return []
  if (typeof value === 'object' && value !== null && Object.values(value).every(isPlain))
    return value as Variables
  throw rejected(
    `\`${field}\` is no JSON array of texts and numbers, such as ["Ana", 3], and no object of them`,
  )
}

const mediaKinds = ['image', 'video', 'document'] as const
const headerKinds: readonly string[] = ['text', 'location', ...mediaKinds]

/** Throws ChannelError ("rejected"). */
function isHeader(kind: string, given: unknown, field: string): boolean {
  if (given === undefined || !headerKinds.includes(kind)) return false
  if (kind === 'text') return readVariables(given, `${field}.text`) !== undefined
  if (kind === 'location')
    return isObject(given) && [given.latitude, given.longitude].every(Number.isFinite)
  return isFilled(given) && URL.canParse(given)
}

/** Throws ChannelError ("rejected"). */
export function readHeader(value: unknown, field: string): Header {
  if (value === undefined) return {}
  const kinds = isObject(value)
    ? Object.keys(value).filter((key) => key !== 'filename')
    : []
  const [kind = ''] = kinds
  const given = isObject(value) && kinds.length === 1 ? value[kind] : undefined
  const isRight = isHeader(kind, given, field)
  const { filename = '' } = isObject(value) ? value : {}
  if (!isRight || typeof filename !== 'string')
    throw rejected(
      `\`${field}\` needs exactly one of: \`text\` with variables, \`image\`, \`video\` or \`document\` ` +
        'with an address, `location` with `latitude` and `longitude`',
    )
  return value as Header
}

const buttonKinds: readonly string[] = ['url', 'quickReply', 'copyCode']

/** Throws ChannelError ("rejected"). */
export function readButtons(value: unknown, field: string): (Button | null)[] {
  if (value === undefined) return []
  const isButton = (one: unknown) => {
    const [[kind = '', given] = [], ...others] = isObject(one) ? Object.entries(one) : []
    return buttonKinds.includes(kind) && isFilled(given) && others.length === 0
  }
  if (Array.isArray(value) && value.every((one) => one === null || isButton(one)))
    return value
  throw rejected(
    `\`${field}\` is no list with, for each button, null or one of \`url\`, \`quickReply\`, \`copyCode\` ` +
      'with a text, such as [{"url": "orders/17"}, null]',
  )
}

/** Returns the part of a message of WhatsApp. Throws ChannelError. */
export async function toTemplatePart(
  context: Context,
  phoneId: string,
  { name, language, header, body, buttons }: TemplateMessage,
): Promise<Part> {
  const components = [
    { type: 'header', parameters: await toHeader(context, phoneId, header) },
    { type: 'body', parameters: toTexts(body) },
    ...buttons.map(toButton),
  ].filter(({ parameters }) => parameters.length > 0)
  const template = { name, language: { code: language } }
  return {
    type: 'template',
    template: { ...template, ...(components.length > 0 && { components }) },
  }
}

function toTexts(variables: Variables): Given[] {
  const isNamed = !Array.isArray(variables)
  return Object.entries(variables).map(([name, value]) => ({
    type: 'text',
    ...(isNamed && { parameter_name: name }),
    text: String(value),
  }))
}

/** WhatsApp loads addresses, but not files of this server, which it may not reach. */
async function toHeader(
  context: Context,
  phoneId: string,
  header: Header,
): Promise<Given[]> {
  const { text, location, filename } = header
  if (text) return toTexts(text)
  if (location) {
    const { latitude, longitude, name, address } = location
    const named = { ...(name && { name }), ...(address && { address }) }
    return [{ type: 'location', location: { latitude, longitude, ...named } }]
  }
  const kind = mediaKinds.find((one) => header[one] !== undefined)
  if (!kind) return []
  const url = String(header[kind])
  const file = await context.host.readFile(url)
  const place = file ? { id: await upload(context, phoneId, file) } : { link: url }
  const named = kind === 'document' && {
    filename: filename ?? file?.name ?? toFileName(url),
  }
  return [{ type: kind, [kind]: { ...place, ...named } }]
}

function toButton(
  button: Button | null,
  index: number,
): { type: string; parameters: Given[] } {
  const { url, quickReply, copyCode } = button ?? {}
  const to = (sub_type: string, parameter: Given) => ({
    type: 'button',
    sub_type,
    index: String(index),
    parameters: [parameter],
  })
  if (url) return to('url', { type: 'text', text: url })
  if (quickReply) return to('quick_reply', { type: 'payload', payload: quickReply })
  if (copyCode) return to('copy_code', { type: 'coupon_code', coupon_code: copyCode })
  return { type: 'button', parameters: [] }
}

/** Positions count from 1. */
export const fillIn = (text: string, variables: Variables) =>
  text.replace(/\{\{(\w{1,100})\}\}/g, (whole, name: string) => {
    const key = Array.isArray(variables) ? String(Number(name) - 1) : name
    return Object.hasOwn(variables, key) ? String(variables[key as never]) : whole
  })

/** Returns a header of a file or place as a line of the conversation. */
export function writeHeader({ location, ...header }: Header): string {
  const kind = mediaKinds.find((one) => header[one] !== undefined)
  if (kind) return `[${kind}] ${header[kind]}`
  return location ? [location.name, location.address].filter(Boolean).join(', ') : ''
}

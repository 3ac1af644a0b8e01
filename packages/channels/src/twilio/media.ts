// Pictures and other files that people send by MMS.
import { ChannelError, type Context, type ProviderResponse } from '../channel.ts'
import { getApiUrl, toAuthorization } from './api.ts'

export interface Content {
  type: string
  payload: Record<string, unknown>
}

const maxBytes = 20 * 2 ** 20
const maxRedirects = 3
const tries = 2

/** Returns a message with the file, or about a file that Twilio does not give: it does not repeat messages. */
export async function toMedia(
  context: Context,
  { id, url, contentType }: { id: string; url: string; contentType: string },
): Promise<Content> {
  const type = /^(image|audio|video)\//.exec(contentType)?.[1] ?? 'file'
  const content = await download(context, url)
  if (!content)
    return { type: 'text', payload: { text: `[${type}: Twilio did not give the file]` } }
  const name = `${type}.${toEnding(contentType)}`
  const key = `twilio/${id}/${name}`
  const stored = await context.host.storeFile({ key, name, contentType, content })
  return { type, payload: { [`${type}Url`]: stored } }
}

const endings: Record<string, string | undefined> = {
  jpeg: 'jpg',
  mpeg: 'mp3',
  plain: 'txt',
  vcard: 'vcf',
  '3gpp': '3gp',
}

function toEnding(contentType: string): string {
  const subtype =
    /^[a-z]+\/(?:x-)?([a-z0-9]{1,10})\b/i.exec(contentType)?.[1]?.toLowerCase() ?? 'bin'
  return (Object.hasOwn(endings, subtype) && endings[subtype]) || subtype
}

async function download(context: Context, url: string): Promise<Uint8Array | null> {
  for (let i = 0; i < tries; i++) {
    const response = await follow(context, url).catch((error) => {
      if (error instanceof ChannelError) return null
      throw error
    })
    if (response?.status === 200) return response.body
    if (response && response.status < 500 && response.status !== 429) return null
  }
  return null
}

/** Twilio answers with the address of a store, which must not get the credentials. */
async function follow(context: Context, from: string): Promise<ProviderResponse | null> {
  const { origin } = new URL(getApiUrl(context))
  let url = from
  for (let i = 0; i <= maxRedirects && URL.canParse(url); i++) {
    const isOfTwilio = new URL(url).origin === origin
    const response = await context.request(url, {
      headers: isOfTwilio ? { authorization: toAuthorization(context) } : {},
      timeoutMs: 10_000,
      maxBytes,
    })
    const { location } = response.headers
    if (response.status < 300 || response.status >= 400 || !location) return response
    url = URL.canParse(location, url) ? new URL(location, url).href : ''
  }
  return null
}

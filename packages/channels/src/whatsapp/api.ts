// Calls of WhatsApp's Cloud API (https://developers.facebook.com/docs/whatsapp/cloud-api).
import { ChannelError, type Context } from '../channel.ts'
import type { Explanation } from '../meta/errors.ts'
import { type Call, callGraph, type Graph, toBaseUrl, toFile } from '../meta/graph.ts'
import type { Upload } from '../provider-calls.ts'

/** Begins the explanation of an id that Meta does not know: of either setting. */
export const unknownId = 'Meta does not find the phone number ID or account ID'

/** https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes */
export const explanations: Explanation[] = [
  {
    codes: [190, 102],
    kind: 'credentials',
    text:
      'Meta does not accept the access token: it is incomplete, revoked or expired. Tokens for trying out ' +
      'expire after hours; make a permanent one for a system user in the Business settings.',
  },
  {
    codes: [131047],
    kind: 'rejected',
    text:
      'The person last wrote more than 24 hours ago, and WhatsApp then delivers templates ' +
      'only: call the action `startConversation` with an approved template, or add `whatsappTemplate` to ' +
      'the message.',
  },
  {
    codes: [131030],
    kind: 'rejected',
    text:
      'The test number of Meta writes only to numbers of its list. Add the number: WhatsApp, ' +
      'API setup, To; or use a number of your own.',
  },
  {
    codes: [100],
    subcodes: [33],
    kind: 'credentials',
    text:
      `${unknownId}, or the access token has no right ` +
      'to it. Copy the ID from WhatsApp, API setup (it is not the phone number), and assign ' +
      'the account to the system user.',
  },
  {
    codes: [133010, 131045],
    kind: 'credentials',
    text:
      'The phone number is not registered for the Cloud API. Register it in the WhatsApp ' +
      'Manager: Phone numbers, the number, Connect.',
  },
  {
    codes: [131042],
    kind: 'rejected',
    text: 'The WhatsApp account needs a valid payment method: Billing hub, WhatsApp account.',
  },
  {
    codes: [131031, 368],
    kind: 'rejected',
    text: 'Meta has locked the WhatsApp account.',
  },
  {
    codes: [131026],
    kind: 'rejected',
    text: 'The number has no WhatsApp, an old version of it, or has blocked the business.',
  },
  {
    codes: [132001],
    kind: 'rejected',
    text: 'There is no approved template of this name in this language: see the WhatsApp Manager.',
  },
  {
    codes: [132000],
    kind: 'rejected',
    text: 'The template has another number of variables: header, body and buttons need a value for each.',
  },
  {
    codes: [132012],
    kind: 'rejected',
    text:
      'The template has variables of another form: its header may be a text, a file or a place, its ' +
      'variables may have names, and its buttons another order.',
  },
  {
    codes: [131048, 131049],
    kind: 'rejected',
    text: 'WhatsApp limits messages of this business, because people block or report them.',
  },
  {
    codes: [130429, 131056, 133016],
    kind: 'limited',
    text: 'Too many messages for now.',
  },
  {
    codes: [131000, 131016, 131057, 133004],
    kind: 'unavailable',
    text: 'A failure of WhatsApp.',
  },
]

const standardUrl = 'https://graph.facebook.com'

const toGraph = ({
  apiUrl,
  accessToken,
  clientSecret,
}: Context['configuration']): Graph => ({
  baseUrl: toBaseUrl(apiUrl, standardUrl),
  accessToken: String(accessToken).trim(),
  appSecret: String(clientSecret).trim(),
  explanations,
})

export const call = (context: Context, path: string, options: Call = {}) =>
  callGraph(context, toGraph(context.configuration), path, options)

/** Ids come from tags, which bots may set: they are one part of the path. */
export const toPath = (id: string, below: string) => `/${encodeURIComponent(id)}/${below}`

/** Uploads a file, and returns its id. */
export async function upload(
  context: Context,
  phoneId: string,
  file: Upload,
): Promise<string> {
  const form = { messaging_product: 'whatsapp', type: file.contentType, file }
  return String((await call(context, toPath(phoneId, 'media'), { form })).id)
}

/** The largest that WhatsApp has: documents. */
const maxMediaBytes = 100 * 2 ** 20
const mediaHosts = /(^|\.)(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/

interface Download {
  content: Uint8Array
  contentType: string | null
}

/** Downloads a file of a person. Null if it is too large or deleted. */
export async function download(
  context: Context,
  mediaId: string,
): Promise<Download | null> {
  try {
    // A missing file has the code of a missing account, which would be an error of the configuration.
    const graph = { ...toGraph(context.configuration), explanations: [] }
    const found = await callGraph(context, graph, `/${encodeURIComponent(mediaId)}`)
    if (Number(found.file_size ?? 0) > maxMediaBytes) return null
    const content = await loadFile(context, String(found.url))
    const { mime_type } = found
    return { content, contentType: typeof mime_type === 'string' ? mime_type : null }
  } catch (error) {
    if (error instanceof ChannelError && error.kind === 'rejected') return null
    throw error
  }
}

/** The token goes to hosts of Meta only, and to the configured one. */
async function loadFile(context: Context, url: string): Promise<Uint8Array> {
  const { apiUrl, accessToken } = context.configuration
  const { protocol, hostname, origin } = new URL(url)
  const isOwn = apiUrl !== undefined && origin === new URL(String(apiUrl)).origin
  if (!isOwn && !(protocol === 'https:' && mediaHosts.test(hostname)))
    throw new ChannelError('rejected', `WhatsApp keeps no files at "${hostname}"`)
  return toFile(
    await context.request(url, {
      headers: {
        authorization: `Bearer ${String(accessToken).trim()}`,
        'user-agent': 'botstead',
      },
      timeoutMs: 120_000,
      maxBytes: maxMediaBytes,
    }),
  )
}

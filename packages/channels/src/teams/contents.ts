// What people send by Teams, as messages of the bot's conversation.
import { createHash } from 'node:crypto'
import type { Context, ProviderResponse } from '../channel.ts'
import { findPressed } from '../text/choices.ts'
import { getToken } from './api.ts'
import type { Activity, Attachment } from './types.ts'

export interface Content {
  type: string
  payload: Record<string, unknown>
}

const toText = (text: string): Content => ({ type: 'text', payload: { text } })

const fileInfo = 'application/vnd.microsoft.teams.file.download.info'
const maxFileBytes = 100 * 2 ** 20
const maxAttachments = 20
const maxMentions = 100

/** Returns the files and the text; the data of a pressed button with its label. */
export async function readContents(
  context: Context,
  activity: Activity,
): Promise<Content[]> {
  if (activity.value !== undefined && activity.value !== null)
    return [await readPress(context, activity)]
  const contents: Content[] = []
  const attachments = Array.isArray(activity.attachments) ? activity.attachments : []
  for (const attachment of attachments.slice(0, maxAttachments)) {
    const file = attachment && findFile(attachment)
    if (file) contents.push(await readFile(context, activity, file))
  }
  const text = readText(activity)
  return text === '' ? contents : [...contents, toText(text)]
}

/** Without the mention of the bot, which groups ask for; other people keep their names. */
export function readText({ text, entities, recipient }: Activity): string {
  if (typeof text !== 'string') return ''
  const mentions = (Array.isArray(entities) ? entities : []).filter(
    (entity) =>
      entity?.type === 'mention' && typeof entity.text === 'string' && entity.text !== '',
  )
  return mentions
    .slice(0, maxMentions)
    .reduce((rest, { text: mention = '', mentioned }) => {
      const isBot = mentioned?.id !== undefined && mentioned.id === recipient?.id
      return rest.replace(mention, () => (isBot ? '' : `@${mentioned?.name ?? ''}`))
    }, text)
    .trim()
}

/** Buttons of hero cards have the data as their value, adaptive cards as that of an input. */
async function readPress({ host }: Context, activity: Activity): Promise<Content> {
  const { value } = activity
  const { option } = value as { option?: unknown }
  const data = typeof value === 'string' ? value : option
  const pressed = typeof data === 'string' ? await findPressed(host, data) : null
  if (pressed)
    return { type: 'text', payload: { text: pressed.label, value: pressed.value } }
  const said = typeof value === 'string' ? value : JSON.stringify(value)
  return { type: 'text', payload: { text: readText(activity) || said, value: said } }
}

interface File {
  url: string
  name: string | undefined
  key: string | undefined
  contentType: string
}

function findFile({
  contentType = '',
  contentUrl,
  name,
  content,
}: Attachment): File | null {
  if (contentType === fileInfo) {
    const { downloadUrl, uniqueId } = (content ?? {}) as Record<string, unknown>
    return typeof downloadUrl === 'string'
      ? {
          url: downloadUrl,
          name,
          key: uniqueId ? String(uniqueId) : undefined,
          contentType: '',
        }
      : null
  }
  if (typeof contentUrl !== 'string' || !/^(?:image|audio|video)\//.test(contentType))
    return null
  return { url: contentUrl, name, key: undefined, contentType }
}

async function readFile(
  context: Context,
  activity: Activity,
  file: File,
): Promise<Content> {
  const response = await download(context, activity, file.url)
  if (response?.status !== 200)
    return toText(`[${file.name ?? 'file'}: Teams did not give it]`)
  const said = response.headers['content-type']?.split(';')[0]
  const given = /^[\w.+-]+\/[\w.+-]+$/.test(file.contentType)
    ? file.contentType
    : undefined
  const contentType = said ?? given ?? 'application/octet-stream'
  const type = /^(image|audio|video)\//.exec(contentType)?.[1] ?? 'file'
  const name = file.name || `${type}.${contentType.split('/')[1] ?? 'bin'}`
  const place = file.key ?? `${activity.id}-${toDigestPart(file.url)}`
  const url = await context.host.storeFile({
    key: `teams/${place}/${name}`,
    name,
    contentType,
    content: response.body,
  })
  return {
    type,
    payload: { [`${type}Url`]: url, ...(file.name && { title: file.name }) },
  }
}

/** Null if it cannot be loaded. The token goes only to the service itself; other addresses have their own. */
async function download(
  context: Context,
  { serviceUrl }: Activity,
  url: string,
): Promise<ProviderResponse | null> {
  const load = async () => {
    const isService = new URL(url).origin === new URL(String(serviceUrl)).origin
    const headers = isService
      ? { authorization: `Bearer ${await getToken(context)}` }
      : undefined
    const options = { timeoutMs: 60_000, maxBytes: maxFileBytes }
    return context.request(url, headers ? { ...options, headers } : options)
  }
  return load().catch(() => null)
}

/** Several pictures of one message differ by their address. */
const toDigestPart = (url: string) =>
  createHash('sha256')
    .update(url.split('?')[0] ?? '')
    .digest('hex')
    .slice(0, 16)

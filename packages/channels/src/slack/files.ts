// Files of people, downloaded with the bot's token, and files of bots, uploaded to Slack.
import { ChannelError, type Context } from '../channel.ts'
import type { Upload } from '../provider-calls.ts'
import { call, getApiUrl } from './api.ts'
import type { SlackFile } from './types.ts'

export interface Content {
  type: string
  payload: Record<string, unknown>
}

const maxFileBytes = 50 * 2 ** 20

const toText = (text: string): Content => ({ type: 'text', payload: { text } })

/** Returns a file as a message; one that cannot be read as a text that says why. */
export async function readFile(context: Context, file: SlackFile): Promise<Content> {
  const full = await completeFile(context, file)
  const { id, mimetype = 'application/octet-stream', size = 0 } = full
  const name = full.name ?? full.title ?? id
  const url = full.url_private_download ?? full.url_private ?? ''
  if (full.is_external || !isOfSlack(context, url))
    return toText(`[${name}] ${url}`.trimEnd())
  if (size > maxFileBytes) return toText(`[${name}: larger than 50 MB]`)
  const content = await download(context, url, mimetype)
  if (content === null)
    return toText(`[${name}: the app cannot read it; has it the scope files:read?]`)
  const stored = await context.host.storeFile({
    key: `slack/${id}/${name}`,
    name,
    contentType: mimetype,
    content,
  })
  const type = toType(mimetype)
  const voice = full.subtype === 'slack_audio' && { isVoice: true }
  return { type, payload: { [`${type}Url`]: stored, title: name, ...voice } }
}

const toType = (mimetype: string) =>
  /^(image|audio|video)\//.exec(mimetype)?.[1] ?? 'file'

/** A file that another workspace shares arrives without its address. */
async function completeFile(context: Context, file: SlackFile): Promise<SlackFile> {
  if (file.file_access !== 'check_file_info') return file
  try {
    return (await call<{ file: SlackFile }>(context, 'files.info', { file: file.id }))
      .file
  } catch (error) {
    if (error instanceof ChannelError && error.kind === 'rejected') return file
    throw error
  }
}

/** An address elsewhere, as people can give files, must not get the bot's token. */
function isOfSlack(context: Context, url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, origin } = new URL(url)
  if (origin === new URL(getApiUrl(context)).origin) return true
  return protocol === 'https:' && /(?:^|\.)slack(?:-gov)?\.com$/.test(hostname)
}

/** Null if the app may not read it: Slack then answers with a page for people. */
async function download(
  context: Context,
  url: string,
  mimetype: string,
): Promise<Uint8Array | null> {
  const { status, headers, body } = await context.request(url, {
    headers: { authorization: `Bearer ${context.configuration.botToken}` },
    timeoutMs: 60_000,
    maxBytes: maxFileBytes,
  })
  if (status === 429 || status >= 500)
    throw new ChannelError('unavailable', `Slack answered ${status} for a file`)
  const isPage =
    /^text\/html/.test(headers['content-type'] ?? '') && mimetype !== 'text/html'
  return status === 200 && !isPage ? body : null
}

interface Place {
  channel: string
  thread_ts?: string
}

/** Shares a file in a conversation. */
export async function upload(
  context: Context,
  { channel, thread_ts }: Place,
  file: Upload,
  title: string,
): Promise<void> {
  const { upload_url: url, file_id: id } = await call<{
    upload_url: string
    file_id: string
  }>(context, 'files.getUploadURLExternal', {
    filename: file.name,
    length: file.content.length,
  })
  const { status } = await context.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file.content,
    timeoutMs: 120_000,
  })
  if (status !== 200)
    throw new ChannelError(
      'unavailable',
      `Slack answered ${status} to the upload of a file`,
    )
  const files = [{ id, title }]
  await call(context, 'files.completeUploadExternal', {
    files,
    channel_id: channel,
    thread_ts,
  })
}

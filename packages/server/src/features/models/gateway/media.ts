// Media in prompts. A URL goes to the provider if the model reads URLs of that kind; otherwise the
// server fetches it, by the rules for addresses of the workspace.
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
} from '@ai-sdk/provider'
import { ApiError } from '@botstead/contract'
import type { Model } from '../providers/catalog.ts'
import type { OpenedProvider } from '../providers/providers.ts'
import type { Send } from '../providers/transport.ts'
import type { ModelCaller, TextCall } from './call.ts'

export interface MediaFetcher {
  fetch(workspaceId: string, url: string, signal: AbortSignal): Promise<Media>
}
export interface Media {
  data: Uint8Array
  mediaType: string | null
}

const maxBytes = 25 * 1_048_576
const timeoutMs = 30_000

/** `getSend` returns the sender of a workspace. */
export const openMediaFetcher = (
  getSend: (workspaceId: string) => Promise<Send>,
): MediaFetcher => ({
  async fetch(workspaceId, url, signal) {
    const send = await getSend(workspaceId)
    try {
      return await download(
        send,
        url,
        AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      )
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw unreadable(url, (error as Error).message)
    }
  },
})

async function download(send: Send, url: string, signal: AbortSignal): Promise<Media> {
  const { statusCode, headers, body } = await send(url, { method: 'GET', signal })
  if (statusCode !== 200) {
    body.on('error', () => {}).destroy()
    throw unreadable(url, `it answered ${statusCode}`)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw unreadable(url, `it has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  const type = String(headers['content-type'] ?? '')
    .split(';')[0]!
    .trim()
  return { data: Buffer.concat(chunks), mediaType: type === '' ? null : type }
}

const unreadable = (url: string, reason: string) =>
  new ApiError(
    'InvalidPayload',
    `The server cannot read "${url.slice(0, 200)}": ${reason}`,
  )

/** Returns the options with media as the model can read them. */
export async function prepareMedia(
  fetcher: MediaFetcher,
  { model, opened }: { model: Model; opened: OpenedProvider },
  { options, searches, signal }: TextCall,
  { workspaceId }: Pick<ModelCaller, 'workspaceId'>,
): Promise<LanguageModelV3CallOptions> {
  if (!options.prompt.some(hasUrls)) return options
  const supported = await opened.text(model.name, searches).supportedUrls
  const readable = (part: LanguageModelV3FilePart) => isReadable(supported, part)
  const prepare = async <Part extends { type: string }>(part: Part): Promise<Part> => {
    if (!isUrl(part) || readable(part)) return part
    const { data, mediaType } = await fetcher.fetch(
      workspaceId,
      String(part.data),
      signal,
    )
    return {
      ...part,
      data,
      mediaType: part.mediaType.endsWith('/*')
        ? (mediaType ?? part.mediaType)
        : part.mediaType,
    }
  }
  const prompt = await Promise.all(
    options.prompt.map(async (message) =>
      message.role === 'user'
        ? { ...message, content: await Promise.all(message.content.map(prepare)) }
        : message,
    ),
  )
  return { ...options, prompt }
}

const isUrl = (part: { type: string }): part is LanguageModelV3FilePart =>
  part.type === 'file' && (part as LanguageModelV3FilePart).data instanceof URL

const hasUrls = ({ content }: LanguageModelV3CallOptions['prompt'][number]) =>
  typeof content !== 'string' && content.some(isUrl)

function isReadable(
  supported: Record<string, RegExp[]>,
  part: LanguageModelV3FilePart,
): boolean {
  const [kind] = part.mediaType.split('/')
  const patterns = Object.entries(supported).flatMap(([type, urls]) =>
    type === '*' || type === '*/*' || type === part.mediaType || type === `${kind}/*`
      ? urls
      : [],
  )
  return patterns.some((pattern) => pattern.test(String(part.data)))
}

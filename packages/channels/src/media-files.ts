// Files that bots send by their URLs, for providers that take bytes only.
import { ChannelError, type Context } from './channel.ts'
import type { Upload } from './provider-calls.ts'

/**
 * Returns a file of this server, or of another one, from which it is loaded. Null if that one does not
 * give it, or it is larger than `maxBytes`.
 */
export async function loadFile(
  { host, request }: Pick<Context, 'host' | 'request'>,
  url: string,
  maxBytes: number,
): Promise<Upload | null> {
  const own = await host.readFile(url)
  if (own) return own.content.length <= maxBytes ? own : null
  try {
    const { status, headers, body } = await request(url, { timeoutMs: 60_000, maxBytes })
    if (status !== 200) return null
    const contentType = headers['content-type'] ?? 'application/octet-stream'
    return { name: toFileName(url), contentType, content: body }
  } catch (error) {
    if (error instanceof ChannelError) return null
    throw error
  }
}

/** Returns the last part of the path; "file" without one. */
export function toFileName(url: string): string {
  const last = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : ''
  try {
    return decodeURIComponent(last) || 'file'
  } catch {
    return last
  }
}

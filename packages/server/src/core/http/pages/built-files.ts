// Sends files that the build wrote and compressed. Sends only those that it listed at the start, so
// path traversal is impossible.
import { readdirSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasTag, toEtag } from './entity-tags.ts'
import { contentTypes } from './static.ts'

/** Of files with a digest of their content in the name. */
export const immutable = { 'cache-control': 'public, max-age=31536000, immutable' }

export class BuiltFiles {
  readonly #folder: URL
  readonly #names: Set<string>
  readonly #contents = new Map<string, { content: Buffer; etag: string }>()

  constructor(folder: URL) {
    this.#folder = folder
    this.#names = new Set(listFiles(folder))
  }

  has(name: string): boolean {
    return (
      !name.endsWith('.br') && (this.#names.has(name) || this.#names.has(`${name}.br`))
    )
  }

  /**
   * Sends the file, 304 if the client has it, or 404 if a build or an upgrade removed it since the start.
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, headers }: { name: string; headers: Record<string, string> },
  ) {
    const isCompressed =
      this.#names.has(`${name}.br`) &&
      /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
    const found = this.#find(isCompressed ? `${name}.br` : name)
    if (!found) return reply.callNotFound()
    const { content, etag } = found
    reply.headers({
      'content-type': contentTypes[name.slice(name.lastIndexOf('.') + 1)]!,
      vary: 'accept-encoding',
      etag,
      ...headers,
      ...(isCompressed && { 'content-encoding': 'br' }),
    })
    return hasTag(request, etag) ? reply.code(304).send() : reply.send(content)
  }

  /** Returns the content, also of a file that the build left compressed only. */
  read(name: string): Buffer {
    return this.#names.has(name)
      ? readFileSync(new URL(name, this.#folder))
      : brotliDecompressSync(this.read(`${name}.br`))
  }

  #readIfPresent(name: string): Buffer | null {
    try {
      return this.read(name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  #find(name: string) {
    const known = this.#contents.get(name)
    if (known) return known
    const content = this.#readIfPresent(name)
    if (!content) return null
    const found = { content, etag: toEtag(content) }
    this.#contents.set(name, found)
    return found
  }
}

function listFiles(folder: URL): string[] {
  const root = fileURLToPath(folder)
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      relative(root, `${parentPath}${sep}${name}`).replaceAll(sep, '/'),
    )
}

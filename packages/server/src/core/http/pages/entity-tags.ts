// Entity tags of contents that change only with the server's version.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

export const toEtag = (content: Buffer | string) =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** Proxies that compress send the tag as a weak one. */
export const hasTag = ({ headers }: FastifyRequest, etag: string) =>
  headers['if-none-match']?.includes(etag) ?? false

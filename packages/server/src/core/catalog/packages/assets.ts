// Owns the table package_asset: icons and readmes of packages. Content is untrusted. Addresses are
// random and public.
import { randomUUID } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import type { Db } from '../../db/index.ts'

export interface Asset {
  content: Buffer
  contentType: string
}

const maxBytes = 1_048_576

/** Decodes base64; returns null for an empty string. Throws InvalidPayload, LimitExceeded. */
export function readAsset(what: 'icon' | 'readme', base64: string): Asset | null {
  if (base64 === '') return null
  if (Buffer.byteLength(base64, 'base64') > maxBytes)
    throw new ApiError('LimitExceeded', `The ${what} must not exceed 1 MB`)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw new ApiError('InvalidPayload', `The ${what} must be in base64`)
  const content = Buffer.from(base64, 'base64')
  return {
    content,
    contentType: what === 'readme' ? 'text/markdown; charset=utf-8' : imageType(content),
  }
}

/** Stores the asset under a new address. */
export async function keepAsset(
  db: Db,
  workspaceId: string,
  asset: Asset | null,
): Promise<string | null> {
  if (!asset) return null
  const id = randomUUID()
  await db
    .insertInto('package_asset')
    .values({
      id,
      workspace_id: workspaceId,
      content: asset.content,
      content_type: asset.contentType,
    })
    .execute()
  return id
}

/** Returns null when the asset does not exist. */
export async function findAsset(db: Db, id: string): Promise<Asset | null> {
  const row = await db
    .selectFrom('package_asset')
    .select(['content', 'content_type as contentType'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function removeAssets(db: Db, ids: (string | null)[]): Promise<void> {
  const present = ids.filter((id) => id !== null)
  if (present.length)
    await db.deleteFrom('package_asset').where('id', 'in', present).execute()
}

/**
 * Detects the type by the first bytes, since requests do not contain it. Browsers download unknown
 * types.
 */
function imageType(content: Buffer): string {
  const head = content.subarray(0, 16).toString('latin1')
  if (head.startsWith('\x89PNG')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF8')) return 'image/gif'
  if (head.startsWith('RIFF') && content.subarray(8, 12).toString('latin1') === 'WEBP')
    return 'image/webp'
  return /^\uFEFF?\s*<(?:svg|\?xml|!--|!DOCTYPE svg)/i.test(
    content.subarray(0, 256).toString('utf8'),
  )
    ? 'image/svg+xml'
    : 'application/octet-stream'
}

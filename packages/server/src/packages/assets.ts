// Owns the table package_asset: icons and readmes. They are strangers' files, and anybody may look at them who knows the address, which nobody guesses.
import { ApiError } from '@botstead/contract'
import type { Db } from '../db/open.ts'
import { newUuid } from '../lib/ids.ts'

export interface Asset {
  content: Buffer
  contentType: string
}

const largest = 1_048_576

/** Of base64, as deployments send it; null for the empty text. Throws InvalidPayload, LimitExceeded. */
export function readAsset(what: 'icon' | 'readme', base64: string): Asset | null {
  if (base64 === '') return null
  if (Buffer.byteLength(base64, 'base64') > largest)
    throw new ApiError('LimitExceeded', `The ${what} has 1 MB at most`)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw new ApiError('InvalidPayload', `The ${what} must be in base64`)
  const content = Buffer.from(base64, 'base64')
  return { content, contentType: what === 'readme' ? 'text/markdown; charset=utf-8' : imageType(content) }
}

/** A new address each time. */
export async function keepAsset(db: Db, workspaceId: string, asset: Asset | null): Promise<string | null> {
  if (!asset) return null
  const id = newUuid()
  await db
    .insertInto('package_asset')
    .values({ id, workspace_id: workspaceId, content: asset.content, content_type: asset.contentType })
    .execute()
  return id
}

/** Null for what is not there, or no longer. */
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
  if (present.length) await db.deleteFrom('package_asset').where('id', 'in', present).execute()
}

/** By its first bytes, since nobody says it; what is none of these is offered for saving. */
function imageType(content: Buffer): string {
  const head = content.subarray(0, 16).toString('latin1')
  if (head.startsWith('\x89PNG')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF8')) return 'image/gif'
  if (head.startsWith('RIFF') && content.subarray(8, 12).toString('latin1') === 'WEBP') return 'image/webp'
  return /^\uFEFF?\s*<(?:svg|\?xml|!--|!DOCTYPE svg)/i.test(content.subarray(0, 256).toString('utf8'))
    ? 'image/svg+xml'
    : 'application/octet-stream'
}

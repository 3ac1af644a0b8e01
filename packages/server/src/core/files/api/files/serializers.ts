import type { File } from '@botstead/contract'
import { type Context, getOrigin } from '../../../http/index.ts'
import { contentUrl } from '../../content-urls.ts'
import type { FileRow } from '../../files.ts'

/**
 * Adds the URL of the content: its holder may read the content for one hour, or without limit if
 * the file is public.
 */
export function toFile(context: Context<unknown>, row: FileRow): File {
  const { services } = context
  const isPublic = row.access_policies.includes('public_content')
  return {
    id: row.id,
    botId: row.bot_id,
    key: row.key,
    url: contentUrl(services.secrets, getOrigin(context), {
      botId: row.bot_id,
      fileId: row.id,
      isPublic,
    }),
    size: row.size === null ? null : Number(row.size),
    contentType: row.content_type,
    tags: row.tags,
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    accessPolicies: row.access_policies as File['accessPolicies'],
    index: row.index,
    status: row.status as File['status'],
    ...(row.status_reason !== null && { failedStatusReason: row.status_reason }),
    ...(row.status === 'indexing_completed' && { indexingStack: 'v2' as const }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
    owner: row.owner as File['owner'],
  }
}

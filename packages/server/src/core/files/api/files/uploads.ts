// Creates files that await their content, for every API that accepts uploads.

import { ApiError, type UploadableFile } from '@botstead/contract'
import { guessContentType } from '@botstead/lib'
import { type Limits, limitRules } from '../../../config/index.ts'
import { type Context, getOrigin } from '../../../http/index.ts'
import { quotas } from '../../../usage/index.ts'
import { uploadUrl } from '../../content-urls.ts'
import { upsertFile } from '../../files.ts'
import { toFile } from './serializers.ts'

/**
 * Creates or replaces the file, and returns it with the URL for its content. Throws LimitExceeded,
 * QuotaExceeded, InvalidPayload.
 */
export async function announceUpload(
  context: Context<{ botId: string }>,
  file: Parameters<typeof upsertFile>[2],
): Promise<UploadableFile> {
  const { services, caller } = context
  const { botId } = caller
  const { size } = file
  checkFileLimits(services.limits, file)
  // checked again when the content has arrived; this check saves a useless upload
  const row = await quotas.within(
    services,
    { botId, type: 'storage_count' },
    ({ db }) => upsertFile(db, botId, file),
    (before) => size - Number(before.size ?? 0),
  )
  const contentType = file.contentType ?? guessContentType(file.key)
  const upload = { botId, fileId: row.id, uploadId: row.upload_id, size, contentType }
  return {
    ...toFile(context, row),
    contentType,
    uploadUrl: uploadUrl(services.secrets, getOrigin(context), upload),
  }
}

interface Limited {
  size?: number
  tags?: object | undefined
  expiresAt?: Date | null | undefined
}

/** Throws LimitExceeded. */
export function checkFileLimits(
  limits: Limits,
  { size = 0, tags = {}, expiresAt }: Limited,
) {
  limitRules.rejectTooManyTags(limits, tags as Record<string, unknown>)
  if (size > limits.fileBytes)
    throw new ApiError(
      'LimitExceeded',
      `A file must have at most ${limits.fileBytes} bytes`,
    )
  const days = expiresAt ? (expiresAt.getTime() - Date.now()) / 86_400_000 : 0
  if (days > limits.fileDays)
    throw new ApiError(
      'LimitExceeded',
      `\`expiresAt\` must be at most ${limits.fileDays} days from now`,
    )
}

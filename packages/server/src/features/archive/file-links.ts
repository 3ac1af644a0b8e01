// Links that download the file of an archive: the signature is the permission, so that browsers can
// write the file to the disk as it arrives. Check the owner's permission before you create one.

import { hmac, sameText } from '@botstead/lib'
import type { Secrets } from '../../core/sealing/index.ts'
import type { ArchiveKind, ArchiveOwner } from './archive-jobs.ts'

export const archiveFilePath = '/v1/platform/archive-files'
const lifetimeMs = 600_000

type Signer = Pick<Secrets, 'derive'>
type LinkedFile = ArchiveOwner & { id: string }

export function toFileLink(secrets: Signer, origin: string, file: LinkedFile) {
  const expires = Date.now() + lifetimeMs
  const query = new URLSearchParams({
    ...(file.workspaceId !== null && { workspace: file.workspaceId }),
    expires: String(expires),
    signature: sign(secrets, file, String(expires)),
  })
  return {
    url: `${origin}${archiveFilePath}/${file.kind}/${file.id}?${query}`,
    expiresAt: new Date(expires).toISOString(),
  }
}

interface LinkParts {
  kind: string
  id: string
  workspace?: unknown
  expires?: unknown
  signature?: unknown
}

/** Returns the file that a link names; null if the link is invalid or has expired. */
export function readFileLink(
  secrets: Signer,
  parts: LinkParts,
  now = Date.now(),
): LinkedFile | null {
  const { kind, id, workspace = null, expires, signature } = parts
  const texts = [expires, signature, workspace ?? ''].every(
    (value) => typeof value === 'string',
  )
  if (!texts || !(Number(expires) > now)) return null
  const file = { kind: kind as ArchiveKind, id, workspaceId: workspace as string | null }
  return sameText(signature as string, sign(secrets, file, expires as string))
    ? file
    : null
}

const sign = (secrets: Signer, { kind, workspaceId, id }: LinkedFile, expires: string) =>
  hmac(
    secrets.derive('archive files'),
    JSON.stringify([kind, workspaceId, id, expires]),
  ).toString('base64url')

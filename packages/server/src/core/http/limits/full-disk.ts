// Rejects requests that add data while the disk is nearly full, before PostgreSQL itself stops.
// Reads, deletions and sign-ins continue, so that operators can free space.
import { ApiError, type Operation } from '@botstead/contract'

type NamedOperation = Pick<Operation, 'method' | 'access' | 'audit' | 'permission'> & {
  name: string
}

/** Operations with POST or PUT that free space, stop work, or help to do so. */
const freeing = new Set([
  'admin.deleteAccount',
  'admin.createPersonalAccessToken',
  'live.stopAnswer',
  'platform.createArchiveLink',
  'platform.createBackupLink',
  'platform.discardDeadLetters',
  'platform.discardFailures',
  'platform.erasePersonalData',
  'platform.repeatErasure',
  'platform.resolveIssues',
  'platform.setRetention',
  'platform.stopConversationAnswer',
  'tables.deleteTableRows',
])

/** Whether the operation may add data. Public operations sign in. */
export const addsData = ({ method, access, audit, permission, name }: NamedOperation) =>
  method !== 'GET' &&
  method !== 'DELETE' &&
  access !== 'public' &&
  audit !== false &&
  permission?.endsWith('.read') !== true &&
  !freeing.has(name)

/** Throws Unavailable. */
export function rejectFullDisk({ isDiskFull }: { isDiskFull: () => boolean }) {
  if (isDiskFull())
    throw new ApiError(
      'Unavailable',
      'The disk of the server is nearly full, so it accepts no new data: free disk space, or retry later',
      { metadata: { reason: 'diskFull' } },
    )
}

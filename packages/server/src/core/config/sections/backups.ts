// Backups of the installation.

import { nextTick } from '../../lib/index.ts'
import { ConfigError, readInteger, readPath } from '../environment.ts'
import type { S3Settings } from '../provider-settings.ts'
import { readBucket } from './storage.ts'

export interface BackupSection {
  /**
   * BOTSTEAD_BACKUPS [backups in the data folder]: Folder of the backups and archives that the dashboard
   * makes. Servers with the same folder share them.
   */
  backupFolder: string | null
  /**
   * BOTSTEAD_BACKUP_SCHEDULE [none]: Cron expression, in UTC, of backups of the installation into the
   * folder of BOTSTEAD_BACKUPS, for example `0 3 * * *` (every night at three).
   */
  backupSchedule: string | null
  /** BOTSTEAD_BACKUP_KEEP: How many scheduled backups are kept; older ones are deleted. */
  backupKeep: number
  /**
   * BOTSTEAD_BACKUP_VERIFY [1]: Restores each scheduled backup into a temporary database, which
   * needs free space of its size, and drops it; 0 does not.
   */
  backupVerify: boolean
  /**
   * BOTSTEAD_BACKUP_BUCKET [none]: Bucket to which scheduled backups are copied, at the store of
   * S3_ENDPOINT and with the same keys.
   */
  backupBucket: S3Settings | null
}

export const readBackupSection = (env: NodeJS.ProcessEnv): BackupSection => ({
  backupFolder: readPath(env, 'BOTSTEAD_BACKUPS'),
  backupSchedule: readCron(env, 'BOTSTEAD_BACKUP_SCHEDULE'),
  backupKeep: readInteger(env, 'BOTSTEAD_BACKUP_KEEP', 7, 1, 1_000),
  backupVerify: env.BOTSTEAD_BACKUP_VERIFY !== '0',
  backupBucket: readBucket(env, 'BOTSTEAD_BACKUP_BUCKET'),
})

function readCron(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (!nextTick(text, new Date()))
    throw new ConfigError(
      `${name} must be a cron expression of five fields such as "0 3 * * *", not "${text}"`,
    )
  return text
}

// Notices by e-mail to the owner of the installation: a backup has failed.

import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import { workspaceStore } from '../../../core/accounts/index.ts'
import type { MailSettings } from '../../../core/config/index.ts'
import type { Db } from '../../../core/db/index.ts'
import type { Secrets } from '../../../core/sealing/index.ts'
import type { BackupState } from '../../archive/index.ts'
import { queueMail } from './outgoing-mail.ts'

interface Deps {
  db: Db
  secrets: Secrets
  config: { mail: MailSettings | null }
  readBackups: () => Promise<BackupState>
  publicUrl: () => string
  log: Logger
}

const paceMs = 60_000

export function startNotices(deps: Deps) {
  const task = new PeriodicTask({
    task: () => noticeBackups(deps),
    paceMs,
    failed: (error) => deps.log.warn({ err: error }, 'cannot write notices; retrying'),
  })
  return { stop: () => task.stop() }
}

/** Writes one notice of each failed backup. */
export async function noticeBackups({
  db,
  secrets,
  config,
  readBackups,
  publicUrl,
}: Deps) {
  if (!config.mail) return
  const { failure } = await readBackups()
  const recipient = failure && (await workspaceStore.findOwnerEmail(db))
  if (!recipient) return
  const text =
    `The backup of ${failure.at.toISOString()} has failed: ${failure.reason}\n\n` +
    `The page "Installation" of the dashboard has all backups: ${publicUrl()}\n`
  const mail = { recipient, subject: 'A backup of Botstead has failed', text }
  await queueMail(db, secrets, mail, { once: `backup ${failure.at.toISOString()}` })
}

import type { Feature } from '../../core/feature.ts'
import type { Services } from '../../core/http/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { openLiveSettings } from './live-settings.ts'
import { startNotices } from './mail/notices.ts'
import { deleteOldMails, startMailer } from './mail/outgoing-mail.ts'
import { serveProof } from './probes.ts'
import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const serverSettings = {
  name: 'server-settings',
  tables,
  bindings,
  handlers,
  open: openLiveSettings,
  start: startMails,
  routes: serveProof,
  tasks: ({ db }: Services) => [{ everyMs: 3_600_000, run: () => deleteOldMails(db) }],
} satisfies Feature

/** Sends e-mails, and writes those about failed backups. */
function startMails(
  deps: Parameters<typeof startMailer>[0] & Parameters<typeof startNotices>[0],
) {
  const tasks = [startMailer(deps), startNotices(deps)]
  return { stop: () => Promise.all(tasks.map((task) => task.stop())) }
}

export { queueMail } from './mail/outgoing-mail.ts'
export type { ServerSettingServices } from './services.ts'

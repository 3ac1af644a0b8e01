import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { deleteOldMails } from './mail/outgoing-mail.ts'
import { serveProof } from './probes.ts'

export const serverSettings = {
  name: 'server-settings',
  handlers,
  routes: serveProof,
  tasks: ({ db }) => [{ everyMs: 3_600_000, run: () => deleteOldMails(db) }],
} satisfies Feature
export { type LiveSettings, openLiveSettings } from './live-settings.ts'
export { startNotices } from './mail/notices.ts'
export { queueMail, startMailer } from './mail/outgoing-mail.ts'
export { type ServerSettingServices, serverSettingBindings } from './services.ts'
export { tables } from './table-rules.ts'

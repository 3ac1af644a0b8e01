import { codeTrials } from './admin/code-trials.ts'
import { removeWorkspace } from './admin/workspace-removal.ts'
import { handlers } from './handlers.gen.ts'

type RemovalServices = Parameters<typeof removeWorkspace>[0]

export const apiModule = {
  name: 'api',
  handlers,
  firstSteps: codeTrials,
  /** core/accounts deletes workspaces by it. */
  open: (services: () => RemovalServices) => ({
    services: { removeWorkspace: (id: string) => removeWorkspace(services(), id) },
  }),
}
export { changeBot, makeBot } from './admin/bot-changes.ts'

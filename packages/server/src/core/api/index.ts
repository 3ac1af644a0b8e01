import { codeTrials } from './admin/code-trials.ts'
import { handlers } from './handlers.gen.ts'
import { serveOpenApi } from './open-api.ts'

export const apiModule = {
  name: 'api',
  handlers,
  firstSteps: codeTrials,
  routes: serveOpenApi,
}
export { changeBot, makeBot } from './admin/bot-changes.ts'
export { tryCode } from './admin/code-trials.ts'
export { removeWorkspace } from './admin/workspace-removal.ts'

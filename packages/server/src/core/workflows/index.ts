import type { MessagingHooks } from '../messaging/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { continueHandled, timeOutWorkflows } from './clock.ts'
import type { StateHooks } from './hooks.ts'
import { bindings } from './services.ts'
import { expireStates } from './states/expiry.ts'
import { tables } from './table-rules.ts'
import { addWorkflows } from './updates.ts'
import { checkWorkflow } from './workflows.ts'

export const workflowsModule = {
  name: 'workflows',
  tables,
  bindings,
  handlers,
  createHooks: (): StateHooks => ({ stateChanged: [], followState: [] }),
  hooks: (hooks: Pick<MessagingHooks, 'checkEvent' | 'completeEvents'>) => {
    hooks.checkEvent.push(async (db, botId, { workflowId }) => {
      if (workflowId !== undefined) await checkWorkflow(db, botId, workflowId)
    })
    hooks.completeEvents.push(addWorkflows)
  },
  tasks: (services: TaskServices) => [
    { everyMs: 1_000, run: () => expireStates(services) },
    { everyMs: 1_000, run: () => timeOutWorkflows(services) },
    { everyMs: 1_000, run: () => continueHandled(services) },
  ],
}
type TaskServices = Parameters<typeof expireStates>[0] &
  Parameters<typeof timeOutWorkflows>[0]

export type { StateHooks } from './hooks.ts'
export { advanceWorkflow } from './loop.ts'
export { userStates } from './states/layers.ts'
export type { StateLocation } from './states/location.ts'
export { mergeIntoStates } from './states/merging.ts'
export { listUserStates } from './states/states.ts'
export { isWorkflowLane } from './update-events.ts'
export { toWorkflowUpdate } from './updates.ts'

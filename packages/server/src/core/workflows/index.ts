export { continueHandled, timeOutWorkflows } from './clock.ts'
export { advanceWorkflow } from './loop.ts'
export { toWorkflow } from './serializers.ts'
export { expireStates } from './states/expiry.ts'
export { type StateLocation, toStateLocation } from './states/location.ts'
export { mergeIntoStates } from './states/merging.ts'
export { type StateRow, toState } from './states/serializers.ts'
export {
  deleteState,
  findState,
  getOrSetState,
  listUserStates,
  patchState,
  setExpiry,
  setState,
} from './states/states.ts'
export { tables } from './table-rules.ts'
export { isWorkflowLane } from './update-events.ts'
export { addWorkflows, toWorkflowUpdate } from './updates.ts'
export {
  checkWorkflow,
  createWorkflow,
  deleteWorkflow,
  findWorkflow,
  getOrCreateWorkflow,
  listWorkflows,
  type NewWorkflow,
  updateWorkflow,
  type WorkflowCaller,
} from './workflows.ts'

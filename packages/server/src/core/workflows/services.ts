// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { StateHooks } from './hooks.ts'

export interface WorkflowServices {
  hooks: StateHooks
}

export const bindings = { hooks: 'unchanged' } satisfies Bindings<WorkflowServices>

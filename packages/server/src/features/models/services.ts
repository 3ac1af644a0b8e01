// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { Gateway } from './gateway/gateway.ts'

export interface ModelServices {
  /** Calls language models. */
  models: Gateway
}

export const bindings = {
  models: 'unchanged',
} satisfies Bindings<ModelServices>

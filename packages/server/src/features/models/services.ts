// The services of this feature, which its handlers receive beside those of the core.
import type { Gateway } from './gateway/gateway.ts'

export interface ModelServices {
  /** Calls language models. */
  models: Gateway
}

import type { Handlers, webchat } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'

export const metrics: Handlers<typeof webchat.metrics, Contexts> = {
  /** Stores nothing: figures of visitors' browsers are not needed to operate a bot. */
  async sendPerfMetrics() {
    return {}
  },
}

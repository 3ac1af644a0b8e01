import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'

export const health: Handlers<typeof platform.health, Contexts> = {
  getHealth: async ({ services }) => ({ health: await services.health.read() }),
}

import { ApiError, type Handlers, type runtime } from '@botstead/contract'
import { callAction } from '../../delivery/index.ts'
import type { Contexts } from '../../http/index.ts'

export const actions: Handlers<typeof runtime.actions, Contexts> = {
  async callAction({ services, caller }, { body }) {
    if (caller.integration)
      throw new ApiError(
        'Forbidden',
        'Integrations cannot call actions: call this operation as the bot',
      )
    const { output, cached } = await callAction(services, caller, body.type, body.input)
    return { output, meta: { cached } }
  },
}

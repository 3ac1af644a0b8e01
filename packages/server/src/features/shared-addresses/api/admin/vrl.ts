import { ApiError, type admin, type Handlers } from '@botstead/contract'
import type { Contexts } from '../../../../core/http/index.ts'
import type { ScriptServices } from '../../services.ts'
import { VrlFailed } from '../../vrl/vrl.ts'

export const vrl: Handlers<(typeof admin)['vrl'], Contexts<ScriptServices>> = {
  async runVrl({ services, caller }, { body }) {
    const { data, result } = await services.vrl
      .run(`members of ${caller.workspaceId}`, body.script, body.data)
      .catch(explain)
    if (typeof data !== 'object' || data === null || Array.isArray(data))
      throw new ApiError('Runtime', 'The script\'s result "." must be an object')
    return { data: data as Record<string, unknown>, result }
  },
}

function explain(error: unknown): never {
  if (!(error instanceof VrlFailed)) throw error
  const { reason, message } = error
  if (reason === 'compile') throw new ApiError('InvalidPayload', `script: ${message}`)
  if (reason === 'timeout') throw new ApiError('OperationTimeout', message)
  throw new ApiError(reason === 'busy' ? 'Unavailable' : 'Runtime', message)
}

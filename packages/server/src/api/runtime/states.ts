import type { Handlers, runtime } from '@botstead/contract'
import type { BotCaller, Contexts } from '../../http/services.ts'
import { toStateLocation } from '../../modules/workflows/state/location.ts'
import { toState } from '../../modules/workflows/state/serializers.ts'
import {
  deleteState,
  findState,
  getOrSetState,
  patchState,
  setExpiry,
  setState,
} from '../../modules/workflows/state/states.ts'

const meta = { cached: false }
const writerOf = ({ cause, fence }: BotCaller) => ({ cause, fence })

export const states: Handlers<typeof runtime.states, Contexts> = {
  async getState({ services, caller }, { params }) {
    return { state: toState(await findState(services, toStateLocation(caller, params))), meta }
  },

  async setState({ services, caller }, { params, body: { payload, expiry } }) {
    const place = toStateLocation(caller, params)
    if (payload === null)
      return { state: toState(await deleteState(services, place, caller.fence)) }
    return {
      state: toState(await setState(services, place, { payload, expiry, ...writerOf(caller) })),
    }
  },

  async patchState({ services, caller }, { params, body }) {
    return {
      state: toState(
        await patchState(services, toStateLocation(caller, params), {
          ...body,
          ...writerOf(caller),
        }),
      ),
    }
  },

  async getOrSetState({ services, caller }, { params, body }) {
    return {
      state: toState(
        await getOrSetState(services, toStateLocation(caller, params), {
          ...body,
          ...writerOf(caller),
        }),
      ),
      meta,
    }
  },

  async setStateExpiry({ services, caller }, { params, body }) {
    return {
      state: toState(await setExpiry(services, toStateLocation(caller, params), body.expiry)),
    }
  },
}

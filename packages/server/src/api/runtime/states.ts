import type { Handlers, runtime } from '@botstead/contract'
import type { BotCaller, Contexts } from '../../http/services.ts'
import { placeOf } from '../../modules/workflows/state/places.ts'
import { stateShown } from '../../modules/workflows/state/state-shown.ts'
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
    return { state: stateShown(await findState(services, placeOf(caller, params))), meta }
  },

  async setState({ services, caller }, { params, body: { payload, expiry } }) {
    const place = placeOf(caller, params)
    if (payload === null) return { state: stateShown(await deleteState(services, place, caller.fence)) }
    return { state: stateShown(await setState(services, place, { payload, expiry, ...writerOf(caller) })) }
  },

  async patchState({ services, caller }, { params, body }) {
    return {
      state: stateShown(
        await patchState(services, placeOf(caller, params), { ...body, ...writerOf(caller) }),
      ),
    }
  },

  async getOrSetState({ services, caller }, { params, body }) {
    return {
      state: stateShown(
        await getOrSetState(services, placeOf(caller, params), { ...body, ...writerOf(caller) }),
      ),
      meta,
    }
  },

  async setStateExpiry({ services, caller }, { params, body }) {
    return { state: stateShown(await setExpiry(services, placeOf(caller, params), body.expiry)) }
  },
}

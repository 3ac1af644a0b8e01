import type { Handlers, runtime } from '@botstead/contract'
import type { Contexts } from '../../services.ts'
import { placeOf } from '../../state/places.ts'
import { stateShown } from '../../state/state-shown.ts'
import { deleteState, findState, getOrSetState, patchState, setExpiry, setState } from '../../state/states.ts'

const meta = { cached: false }

export const states: Handlers<typeof runtime.states, Contexts> = {
  async getState({ services, caller }, { params }) {
    return { state: stateShown(await findState(services, placeOf(caller, params))), meta }
  },

  async setState({ services, caller }, { params, body: { payload, expiry } }) {
    const place = placeOf(caller, params)
    if (payload === null) return { state: stateShown(await deleteState(services, place)) }
    return { state: stateShown(await setState(services, place, { payload, expiry, cause: caller.cause })) }
  },

  async patchState({ services, caller }, { params, body }) {
    return {
      state: stateShown(
        await patchState(services, placeOf(caller, params), { ...body, cause: caller.cause }),
      ),
    }
  },

  async getOrSetState({ services, caller }, { params, body }) {
    return {
      state: stateShown(
        await getOrSetState(services, placeOf(caller, params), { ...body, cause: caller.cause }),
      ),
      meta,
    }
  },

  async setStateExpiry({ services, caller }, { params, body }) {
    return { state: stateShown(await setExpiry(services, placeOf(caller, params), body.expiry)) }
  },
}

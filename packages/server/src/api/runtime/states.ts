import type { Handlers, runtime } from '@botstead/contract'
import type { BotCaller, Contexts, Services } from '../../http/services.ts'
import { type StateLocation, toStateLocation } from '../../modules/workflows/state/location.ts'
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

export const states: Handlers<typeof runtime.states, Contexts> = {
  async getState({ services, caller }, { params }) {
    return { state: toState(await findState(services, toStateLocation(caller, params))), meta }
  },

  async setState({ services, caller }, { params, body: { payload, expiry } }) {
    const place = toStateLocation(caller, params)
    const writer = writerOf(services, caller, place)
    const row =
      payload === null
        ? await deleteState(services, place, writer)
        : await setState(services, place, { payload, expiry, ...writer })
    return { state: toState(row) }
  },

  async patchState({ services, caller }, { params, body }) {
    const place = toStateLocation(caller, params)
    const given = { ...body, ...writerOf(services, caller, place) }
    return { state: toState(await patchState(services, place, given)) }
  },

  async getOrSetState({ services, caller }, { params, body }) {
    const place = toStateLocation(caller, params)
    const given = { ...body, ...writerOf(services, caller, place) }
    return { state: toState(await getOrSetState(services, place, given)), meta }
  },

  async setStateExpiry({ services, caller }, { params, body }) {
    return {
      state: toState(await setExpiry(services, toStateLocation(caller, params), body.expiry)),
    }
  },
}

/** Traces of events show the bot's own states: those of integrations may contain credentials. */
function writerOf(
  { eventTraces }: Services,
  { botId, cause, fence, tracedEvent }: BotCaller,
  { alias, type, subjectId, name }: StateLocation,
) {
  if (tracedEvent === null || alias !== null) return { cause, fence }
  return {
    ...{ cause, fence },
    onChanged: (before: Record<string, unknown> | null, after: Record<string, unknown>) =>
      eventTraces.changed({ botId, eventId: tracedEvent }, `${type} ${name} ${subjectId}`, {
        before,
        after,
      }),
  }
}

import type { Handlers, runtime } from '@botstead/contract'
import { announceHandoffs } from '../../../features/handoffs/handoffs.ts'
import { followHitlSession, isHitlState } from '../../../features/handoffs/hitl-sessions.ts'
import type { BotCaller, Contexts, Services } from '../../http/services.ts'
import { type StateLocation, toStateLocation } from '../../workflows/states/location.ts'
import { type StateRow, toState } from '../../workflows/states/serializers.ts'
import {
  deleteState,
  findState,
  getOrSetState,
  patchState,
  setExpiry,
  setState,
} from '../../workflows/states/states.ts'

const meta = { cached: false }

export const states: Handlers<typeof runtime.states, Contexts> = {
  async getState({ services, caller }, { params }) {
    return { state: toState(await findState(services, toStateLocation(caller, params))), meta }
  },

  async setState({ services, caller }, { params, body: { payload, expiry } }) {
    const place = toStateLocation(caller, params)
    const writer = writerOf(services, caller, place)
    const row = await followed(services, caller, place, (services) =>
      payload === null
        ? deleteState(services, place, writer)
        : setState(services, place, { payload, expiry, ...writer }),
    )
    return { state: toState(row) }
  },

  async patchState({ services, caller }, { params, body }) {
    const place = toStateLocation(caller, params)
    const given = { ...body, ...writerOf(services, caller, place) }
    const row = await followed(services, caller, place, (services) =>
      patchState(services, place, given),
    )
    return { state: toState(row) }
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

/** Writes a state. The handoff of the conversation follows a state of the plugin `hitl`. */
async function followed(
  services: Services,
  { cause }: BotCaller,
  place: StateLocation,
  write: (services: Services) => Promise<StateRow>,
): Promise<StateRow> {
  if (!isHitlState(place)) return write(services)
  const { row, isHandoff } = await services.inTransaction(async (inside) => {
    const row = await write(inside)
    return { row, isHandoff: await followHitlSession(inside, place, row.payload, cause) }
  })
  if (isHandoff) await services.afterCommit(async (after) => announceHandoffs(after, place.botId))
  return row
}

/** Traces of events show the bot's own states: those of integrations may contain credentials. */
function writerOf(
  { eventTraces }: Services,
  { botId, cause, fence, tracedEvent }: BotCaller,
  { alias, type, subjectId, name }: StateLocation,
) {
  if (tracedEvent === null || alias !== null) return { cause, fence }
  return {
    cause,
    fence,
    onChanged: (before: Record<string, unknown> | null, after: Record<string, unknown>) =>
      eventTraces.changed({ botId, eventId: tracedEvent }, `${type} ${name} ${subjectId}`, {
        before,
        after,
      }),
  }
}

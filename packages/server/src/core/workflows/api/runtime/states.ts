import type { Handlers, runtime } from '@botstead/contract'
import type { Caller, Contexts, Services } from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import type { WorkflowServices } from '../../services.ts'
import { type StateLocation, toStateLocation } from '../../states/location.ts'
import { type StateRow, toStateAt } from '../../states/serializers.ts'
import {
  deleteState,
  findState,
  getOrSetState,
  patchState,
  setExpiry,
  setState,
} from '../../states/states.ts'

type Own = QueueServices & RealtimeServices & WorkflowServices

const meta = { cached: false }

export const states: Handlers<typeof runtime.states, Contexts<Own>> = {
  async getState({ services, caller }, { params }) {
    const place = toStateLocation(caller, params)
    return { state: toStateAt(await findState(services, place), place), meta }
  },

  async setState({ services, caller }, { params, body: { payload, expiry } }) {
    const place = toStateLocation(caller, params)
    const writer = createWriter(services, caller, place)
    const row = await followed(services, caller, place, (services) =>
      payload === null
        ? deleteState(services, place, writer)
        : setState(services, place, { payload, expiry, ...writer }),
    )
    return { state: toStateAt(row, place) }
  },

  async patchState({ services, caller }, { params, body }) {
    const place = toStateLocation(caller, params)
    const given = { ...body, ...createWriter(services, caller, place) }
    const row = await followed(services, caller, place, (services) =>
      patchState(services, place, given),
    )
    return { state: toStateAt(row, place) }
  },

  async getOrSetState({ services, caller }, { params, body }) {
    const place = toStateLocation(caller, params)
    const given = { ...body, ...createWriter(services, caller, place) }
    return { state: toStateAt(await getOrSetState(services, place, given), place), meta }
  },

  async setStateExpiry({ services, caller }, { params, body }) {
    const place = toStateLocation(caller, params)
    return { state: toStateAt(await setExpiry(services, place, body.expiry), place) }
  },
}

/** Writes a state, with what features change after it in the same transaction. */
async function followed(
  services: Services & Own,
  { cause }: Caller<'bot'>,
  place: StateLocation,
  write: (services: Services & Own) => Promise<StateRow>,
): Promise<StateRow> {
  const followers = services.hooks.followState.flatMap(
    (follow) => follow(place, cause) ?? [],
  )
  if (followers.length === 0) return write(services)
  return services.inTransaction(async (inside) => {
    const row = await write(inside)
    for (const follow of followers) await follow(inside, row.payload)
    return row
  })
}

/** Traces of events show the bot's own states: those of integrations may contain credentials. */
function createWriter(
  { hooks }: Services & Own,
  { botId, cause, fence, tracedEvent }: Caller<'bot'>,
  { alias, type, subjectId, name }: StateLocation,
) {
  if (tracedEvent === null || alias !== null) return { cause, fence }
  return {
    cause,
    fence,
    onChanged(before: Record<string, unknown> | null, after: Record<string, unknown>) {
      const subject = `${type} ${name} ${subjectId}`
      for (const note of hooks.stateChanged)
        note({ botId, eventId: tracedEvent }, subject, { before, after })
    },
  }
}

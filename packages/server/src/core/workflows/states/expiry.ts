// Expiry of states that were not used for long enough. One statement deletes them and creates the
// events (table of events/events.ts) and deliveries for those of the bot. So there is exactly one
// event for each, whichever process does it and despite crashes.

import { type BoundStatement, type Database, statement } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { eventStore } from '../../messaging/index.ts'
import { isAwake, type Queue, queueStatements } from '../../queue/index.ts'
import {
  type StateKey,
  type StateLocation,
  stateStatement,
  toStateKey,
} from './location.ts'

export interface ExpiryDeps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}

/** States per statement. */
const maxPerStatement = 200
/** Statements per sweep. The rest waits for the next sweep. */
const maxRounds = 20

const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

interface ExpiryValues {
  eventIds: string[]
  deliveryIds: string[]
  laneOwner: string | null
}

/** The events of the states of bots. */
const expired = `select bot_id, event_id, 'state_expired', jsonb_build_object('state',
      jsonb_build_object('id', id, 'createdAt', ${iso('created_at')}, 'updatedAt', ${iso('updated_at')},
        'botId', bot_id,
        'name', name, 'type', type, 'payload', payload, 'expiry', expiry_ms, 'expiresAt',
          ${iso('expires_at')})
      || case type when 'conversation' then jsonb_build_object('conversationId', subject_id)
        when 'user' then jsonb_build_object('userId', subject_id) else '{}' end
    ), conversation_id, user_id
    from bot_states`

/**
 * `overdue` selects the ctid of expired states. Events about a conversation use its lane. The
 * parameter `owner` belongs to the key of a state; the owner of a lane is `laneOwner`.
 */
const expire = (overdue: string) => `
  with overdue as (${overdue}),
  removed as (delete from state where ctid = any (array(select ctid from overdue)) and expires_at <= now()
    returning *),
  ids as (select * from unnest(:eventIds::text[], :deliveryIds::text[])
    with ordinality as ids (event_id, delivery_id, ord)),
  bot_states as (
    select g.*, ids.event_id, ids.delivery_id
    from (select *, row_number() over (order by expires_at, id) as ord from removed where alias is null) g
      join ids using (ord)
  ),
  noted as (
    ${eventStore.insert('conversation_id, user_id', expired)}
  ),
  due as (
    select bot_id, coalesce(conversation_id, id) as lane, delivery_id, 'event' as kind,
      event_id as subject_id, ord
    from bot_states
  ),
  ${queueStatements.enqueueDue(':laneOwner')}
  select (select count(*)::int from removed) as taken,
    placed.bot_id, placed.lane, placed.number, placed.delivery_id as id, placed.kind, placed.subject_id,
      placed.owner, placed.ahead
  from (select) as always left join placed on true`

const expireNext = statement<ExpiryValues & { max: number }>(
  'expire-states',
  expire(`select ctid from state where expires_at <= now() and ${isAwake('state.bot_id')}
    order by expires_at limit :max
    for update skip locked`),
)
const expireThis = stateStatement<ExpiryValues & StateKey>('expire-state', (isHere) =>
  expire(`select ctid from state where ${isHere} and expires_at <= now() for update`),
)

type Taken = { taken: number; bot_id: string | null } & Omit<
  Parameters<typeof queueStatements.toEnqueued>[0],
  'bot_id'
>

async function take(
  { database, deliveries }: ExpiryDeps,
  max: number,
  bind: (values: ExpiryValues) => BoundStatement,
): Promise<number> {
  const createIds = (kind: 'event' | 'delivery') =>
    Array.from({ length: max }, () => newId(kind))
  const rows = await database.run<Taken>(
    ...bind({
      eventIds: createIds('event'),
      deliveryIds: createIds('delivery'),
      laneOwner: deliveries.owner,
    }),
  )
  deliveries.dispatch(
    rows.flatMap(({ bot_id, ...row }) =>
      bot_id === null ? [] : [queueStatements.toEnqueued({ ...row, bot_id })],
    ),
  )
  return rows[0]!.taken
}

/** Expires states. Runs periodically in every process. */
export async function expireStates(deps: ExpiryDeps): Promise<void> {
  const max = maxPerStatement
  for (let round = 0; round < maxRounds; round++) {
    const taken = await take(deps, max, (values) => expireNext({ ...values, max }))
    if (taken < max) return
  }
}

/** Expires the state at this location if it is overdue, so that a new one can be set. */
export async function expireState(deps: ExpiryDeps, place: StateLocation): Promise<void> {
  await take(deps, 1, (values) => expireThis({ ...values, ...toStateKey(place) }))
}

// Owns the table state. Invariant: a state whose time is over is there for nobody, and leaves by expiry.ts alone, so that its bot is told of it;
// who sets another in its place takes it away first.
//
// Every use gives a state its whole time again. A write does so exactly; a read writes only when a good part of the time has passed (`renewals`).
import { ApiError } from '@botstead/contract'
import { noBot } from '../bots/bots.ts'
import { isMissing } from '../db/conflicts.ts'
import type { Db } from '../db/open.ts'
import { newId, ulid } from '../lib/ids.ts'
import type { Limits } from '../limits.ts'
import { isUnfenced, toFences } from '../queue/fencing.ts'
import { checkPayload, findDeclaredState, longestExpiry } from './declared-states.ts'
import { type ExpiryDeps, expireState } from './expiry.ts'
import { checkSubject, keyOf, noState, type Place } from './places.ts'
import type { StateRow } from './state-shown.ts'

export interface StateDeps extends ExpiryDeps {
  db: Db
  limits: Limits
}

export interface NewState {
  payload: Record<string, unknown>
  /** In milliseconds; null for a state that lasts, undefined for what was said before or what the definition says. */
  expiry?: number | null | undefined
  /** The event in whose handling it is set. */
  cause: string | null
  /** Rejects the state when this lease was taken over: queue/fencing.ts. */
  fence?: string | null
}

const place = 'bot_id = $1 and owner = $2 and type = $3 and subject_id = $4 and name = $5'
const alive = (state: string) => `(${state}.expires_at is null or ${state}.expires_at > now())`
const after = (ms: string) => `now() + make_interval(secs => (${ms}) / 1000.0)`

/** Reads renew once in a sixteenth of the time, and in a minute at the latest: so much sooner than from its last use a state may expire, and no more. */
const renewals = 'least(expiry_ms / 16.0, 60000)'

const read = `select *, coalesce(expires_at < ${after(`expiry_ms - ${renewals}`)}, false) as is_due from state where ${place} and ${alive('state')}`
const renew = `update state set expires_at = ${after('expiry_ms')} where ${place} and ${alive('state')} returning *`

async function readState({ database }: StateDeps, where: Place): Promise<StateRow | null> {
  const [row] = await database.run<StateRow & { is_due: boolean }>('read-state', read, keyOf(where))
  if (!row?.is_due) return row ?? null
  // A crash of the database may forget this, as if the state had not been read.
  const [renewed] = await database.lazily<StateRow>('renew-state', renew, keyOf(where))
  return renewed ?? null
}

/** Throws ResourceNotFound. */
export async function findState(deps: StateDeps, where: Place): Promise<StateRow> {
  const row = await readState(deps, where)
  if (!row) throw noState(where)
  return row
}

/** Throws ReferenceNotFound, InvalidPayload, InvalidDataFormat, LimitExceeded. */
export async function setState(deps: StateDeps, where: Place, given: NewState): Promise<StateRow> {
  return change(deps, where, given, async () => ({ payload: given.payload, basis: null }))
}

/** Of several that set keys of the same state at the same time, none undoes what another did. Throws as setState does. */
export async function patchState(deps: StateDeps, where: Place, given: NewState): Promise<StateRow> {
  return change(deps, where, given, async () => {
    const now = await readState(deps, where)
    return { payload: { ...now?.payload, ...given.payload }, basis: now?.revision ?? '' }
  })
}

/** Of several that set it at the same time, one does, and all get what that one gave. Throws as setState does, where there is none yet. */
export async function getOrSetState(deps: StateDeps, where: Place, given: NewState): Promise<StateRow> {
  const look = () => readState(deps, where)
  return (
    (await look()) ??
    change(
      deps,
      where,
      given,
      async (again) => (again && (await look())) || { payload: given.payload, basis: '' },
    )
  )
}

/** What is to be written, and on top of what: a revision, nothing (''), or whatever is there (null). A row is an answer, and nothing to write. */
type Step = (again: boolean) => Promise<{ payload: Record<string, unknown>; basis: string | null } | StateRow>

async function change(
  deps: StateDeps,
  where: Place,
  { expiry, cause, fence }: NewState,
  step: Step,
): Promise<StateRow> {
  const [declared] = await Promise.all([
    findDeclaredState(deps.db, where.botId, where.alias, where.type, where.name),
    checkSubject(deps.db, where),
  ])
  const expiryMs = expiry === undefined ? (declared?.expiry ?? null) : expiry
  for (let again = false; ; again = true) {
    const next = await step(again)
    if ('id' in next) return next
    checkPayload(deps.limits, next.payload, declared)
    const row = await writeState(deps, where, {
      ...next,
      ...{ cause, fence, expiryMs, isGiven: expiry !== undefined },
    })
    if (row) return row
    // Another was faster, or one whose time is over is in the way.
    if (!next.basis) await expireState(deps, where)
  }
}

// What a caller said of the expiry holds until it is said anew; what the definition says, until the next write.
const keptMs = 'case when s.expiry_given and not $10::boolean then s.expiry_ms else $9::bigint end'
const changes = `
  revision = $6, payload = $7, cause = $8, updated_at = greatest(now(), s.updated_at),
  expiry_ms = ${keptMs}, expires_at = ${after(keptMs)}, expiry_given = s.expiry_given or $10`

const upsert = `
  insert into state as s (bot_id, alias, type, subject_id, name, revision, payload, cause, expiry_ms, expiry_given, expires_at, id)
  select $1, nullif($2, ''), $3, $4, $5, $6, $7::jsonb, $8, $9, $10, ${after('$9::bigint')}, $11
  where ${isUnfenced('$13')}
  on conflict (bot_id, owner, type, subject_id, name) do update set ${changes} where ${alive('s')} and $12::boolean
  returning *`
const update = `
  update state s set ${changes} where ${place} and ${alive('s')} and revision = $11 and ${isUnfenced('$12')}
  returning *`

interface Writing {
  payload: Record<string, unknown>
  basis: string | null
  cause: string | null
  fence: string | null | undefined
  expiryMs: number | null
  isGiven: boolean
}

/** Null when there is something else than the basis. */
async function writeState(
  { database, db }: StateDeps,
  where: Place,
  { payload, basis, cause, fence, expiryMs, isGiven }: Writing,
): Promise<StateRow | null> {
  const values = [...keyOf(where), ulid(), JSON.stringify(payload), cause, wholeMs(expiryMs), isGiven]
  const isBasedOnOne = basis !== null && basis !== ''
  try {
    const [row] = isBasedOnOne
      ? await database.run<StateRow>('update-state', update, [...values, basis, toFences([fence])])
      : await database.run<StateRow>('set-state', upsert, [
          ...[...values, newId('state'), basis === null],
          toFences([fence]),
        ])
    return row ?? null
  } catch (error) {
    if (isMissing(error)) await explainMissing(db, where)
    throw error
  }
}

const wholeMs = (ms: number | null) => ms && Math.min(Math.round(ms), longestExpiry)

/** Something went away between the check and the writing. */
async function explainMissing(db: Db, where: Place): Promise<never> {
  await checkSubject(db, where)
  throw where.alias === null
    ? noBot(where.botId)
    : new ApiError('Forbidden', 'This integration is not installed in this bot')
}

/** What it was, or would have been, without its payload: to delete what is not there is no mistake. Throws ReferenceNotFound. */
export async function deleteState(
  { database, db }: StateDeps,
  where: Place,
  fence: string | null = null,
): Promise<StateRow> {
  await checkSubject(db, where)
  const [row] = await database.run<StateRow>(
    'delete-state',
    `delete from state where ${place} and ${alive('state')} and ${isUnfenced('$6')} returning *`,
    [...keyOf(where), toFences([fence])],
  )
  return { ...(row ?? neverSet(where)), payload: {} }
}

function neverSet({ botId, alias, type, subjectId, name }: Place): StateRow {
  const now = new Date()
  return {
    ...{
      bot_id: botId,
      alias,
      owner: alias ?? '',
      type,
      subject_id: subjectId,
      name,
      id: newId('state'),
      revision: '',
      payload: {},
      cause: null,
    },
    ...{ expiry_ms: null, expiry_given: false, expires_at: null, created_at: now, updated_at: now },
    conversation_id: type === 'conversation' ? subjectId : null,
    user_id: type === 'user' ? subjectId : null,
    workflow_id: type === 'workflow' ? subjectId : null,
  }
}

/** From now on, whatever the definition says; null for a state that lasts. Throws ResourceNotFound. */
export async function setExpiry(
  { database }: StateDeps,
  where: Place,
  expiryMs: number | null,
): Promise<StateRow> {
  const statement = `
    update state set expiry_ms = $6, expiry_given = true, expires_at = ${after('$6::bigint')} where ${place} and ${alive('state')} returning *`
  const [row] = await database.run<StateRow>('set-state-expiry', statement, [
    ...keyOf(where),
    wholeMs(expiryMs),
  ])
  if (!row) throw noState(where)
  return row
}

// Owns the table state. Invariant: an expired state is invisible, and only expiry.ts deletes it, so
// that its bot gets the event. To set a new state at the same location, expire the old one first.
//
// Every use restarts a state's expiry. A write does so exactly; a read writes only when a certain
// part of the time has passed (`renewals`).

import { ApiError } from '@botstead/contract'
import { ulid } from '@botstead/lib'
import { sql } from 'kysely'
import { botStore } from '../../bots/index.ts'
import type { Limits } from '../../config/index.ts'
import {
  type BoundStatement,
  type Database,
  type Db,
  isMissing,
  statement,
} from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { fencing } from '../../queue/index.ts'
import { checkPayload, findDeclaredState, maxExpiryMs } from './declared-states.ts'
import { type ExpiryDeps, expireState } from './expiry.ts'
import { type LayerValues, withLayer } from './layers.ts'
import {
  checkSubject,
  chosen,
  isAt,
  isOfPerson,
  noState,
  type StateKey,
  type StateLocation,
  stateStatement,
  toStateKey,
} from './location.ts'
import { neverSet, type StateRow } from './serializers.ts'

export interface StateDeps extends ExpiryDeps {
  db: Db
  limits: Limits
}

interface StateInput {
  payload: Payload
  /** In ms. Null: never expires. Undefined: keep the expiry set before, or use the definition's. */
  expiry?: number | null | undefined
  /** Id of the event during which the state is set. */
  cause: string | null
  /** Rejects the state when this lease was taken over: queue/fencing.ts. */
  fence?: string | null
  /** Called with the payload before and after a change; null if there was no state. */
  onChanged?: (before: Payload | null, after: Payload) => void
}

type Payload = Record<string, unknown>

const isAlive = (state: string) =>
  `(${state}.expires_at is null or ${state}.expires_at > now())`
const after = (ms: string) => `now() + make_interval(secs => (${ms}) / 1000.0)`

/**
 * A read renews the expiry after a sixteenth of it, or after a minute if that is shorter. So a
 * state may expire too early by at most this time.
 */
const renewals = 'least(expiry_ms / 16.0, 60000)'

/** All columns of StateRow. Prepared statements name them (core/db/connection/prepared-query.ts). */
const columns = `bot_id, alias, owner, type, subject_id, name, id, payload, revision, expiry_ms,
  expiry_given, expires_at, cause, conversation_id, user_id, workflow_id, created_at, updated_at`

/** Returns the names of the states that the bot itself keeps of a user, or of its person. */
export async function listUserStates(
  db: Db,
  botId: string,
  userId: string,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from state where bot_id = ${botId} and type = 'user' and alias is null
      and user_id = coalesce((select home_id from "user" where bot_id = ${botId} and id = ${userId}),
        ${userId})
      and ${sql.raw(isAlive('state'))} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const readStatement = stateStatement<StateKey>(
  'read-state',
  (isHere) => `
  select ${columns}, coalesce(expires_at < ${after(`expiry_ms - ${renewals}`)}, false) as is_due
  from state where ${isHere} and ${isAlive('state')}`,
)
const renewStatement = stateStatement<StateKey>(
  'renew-state',
  (isHere) => `
  update state set expires_at = ${after('expiry_ms')}
  where ${isHere} and ${isAlive('state')} returning ${columns}`,
)

async function readState(
  { database }: StateDeps,
  where: StateLocation,
): Promise<StateRow | null> {
  const key = toStateKey(where)
  const [row] = await database.run<StateRow & { is_due: boolean }>(...readStatement(key))
  if (!row?.is_due) return row ?? null
  // If a crash of the database loses this, the state expires as if it had not been read.
  const [renewed] = await database.lazily<StateRow>(...renewStatement(key))
  return renewed ?? null
}

/** Throws ResourceNotFound. */
export async function findState(
  deps: StateDeps,
  where: StateLocation,
): Promise<StateRow> {
  const row = await readState(deps, where)
  if (!row) throw noState(where)
  return row
}

/** Throws ReferenceNotFound, InvalidPayload, InvalidDataFormat, LimitExceeded. */
export async function setState(
  deps: StateDeps,
  where: StateLocation,
  given: StateInput,
): Promise<StateRow> {
  return change(deps, where, given, async () => ({ payload: given.payload, basis: null }))
}

/**
 * Merges keys into the payload. Concurrent calls do not overwrite each other's keys. Throws like
 * setState.
 */
export async function patchState(
  deps: StateDeps,
  where: StateLocation,
  given: StateInput,
): Promise<StateRow> {
  return change(deps, where, given, async () => {
    const now = await readState(deps, where)
    return {
      payload: { ...now?.payload, ...given.payload },
      patch: given.payload,
      basis: now?.revision ?? '',
      former: now?.payload,
    }
  })
}

/**
 * Returns the state, or sets it if there is none. Of concurrent calls one sets it, and all return
 * that state. Throws like setState if there is none yet.
 */
export async function getOrSetState(
  deps: StateDeps,
  where: StateLocation,
  given: StateInput,
): Promise<StateRow> {
  const look = () => readState(deps, where)
  return (
    (await look()) ??
    change(
      deps,
      where,
      given,
      async (isRetry) =>
        (isRetry && (await look())) || { payload: given.payload, basis: '' },
    )
  )
}

/**
 * Returns the payload to write and its basis: a revision, '' for no state, or null for any. Returns
 * a row if there is nothing to write.
 */
type Step = (isRetry: boolean) => Promise<Written | StateRow>

interface Written {
  payload: Payload
  patch?: Payload
  basis: string | null
  former?: Payload | undefined
}

async function change(
  deps: StateDeps,
  where: StateLocation,
  { expiry, cause, fence, onChanged }: StateInput,
  step: Step,
): Promise<StateRow> {
  const [declared] = await Promise.all([
    findDeclaredState(deps.db, where.botId, where.alias, where.type, where.name),
    checkSubject(deps.db, where),
  ])
  const expiryMs = expiry === undefined ? (declared?.expiry ?? null) : expiry
  for (let isRetry = false; ; isRetry = true) {
    const next = await step(isRetry)
    if ('id' in next) return next
    await checkPayload(deps.limits, where.botId, next.payload, declared)
    const row = await writeState(deps, where, {
      patch: null,
      ...next,
      cause,
      fence,
      expiryMs,
      isExplicit: expiry !== undefined,
      returnsFormer: onChanged !== undefined,
    })
    if (row) {
      onChanged?.(next.former ?? row.former ?? null, row.payload)
      return row
    }
    // Another call was faster, or an expired state is in the way.
    if (!next.basis) await expireState(deps, where)
  }
}

// An expiry given by a caller holds until a caller gives another; one from the definition holds
// until the next write.
const nextExpiryMs =
  'case when s.expiry_given and not :isExplicit::boolean then s.expiry_ms else :expiryMs::bigint end'
const changes = `
  revision = :revision, payload = :payload, cause = :cause,
  updated_at = greatest(now(), s.updated_at),
  expiry_ms = ${nextExpiryMs}, expires_at = ${after(nextExpiryMs)},
  expiry_given = s.expiry_given or :isExplicit`

interface StoredValues extends StateKey {
  revision: string
  payload: string
  cause: string | null
  expiryMs: number | null
  isExplicit: boolean
  fences: string[] | null
}

/** The sub-select of "former" reads the row as it was before the statement. */
const upsert = (subject: string) => `
  insert into state as s (bot_id, alias, type, subject_id, name, revision, payload, cause, expiry_ms,
    expiry_given, expires_at, id)
  select :botId, nullif(:owner, ''), :type, ${subject}, :name, :revision, :payload::jsonb, :cause,
    :expiryMs, :isExplicit, ${after(':expiryMs::bigint')}, :id
  where ${fencing.isUnfenced(':fences')}
  on conflict (bot_id, owner, type, subject_id, name) do update set ${changes}
    where ${isAlive('s')} and :mayReplace::boolean
  returning ${columns}, case when :returnsFormer::boolean then
    (select payload from state where ${isAt(subject)}) end as former`
type UpsertValues = StoredValues & {
  id: string
  mayReplace: boolean
  returnsFormer: boolean
}
const upsertStatement = chosen(
  statement<UpsertValues>('set-state', upsert(':subjectId')),
  statement<UpsertValues & LayerValues>('set-state-of-person', withLayer(upsert)),
)

const update = (subject: string) => `
  update state s set ${changes} where ${isAt(subject)} and ${isAlive('s')} and revision = :basis
    and ${fencing.isUnfenced(':fences')}
  returning ${columns}`
type UpdateValues = StoredValues & { basis: string }
const updateStatement = chosen(
  statement<UpdateValues>('update-state', update(':subjectId')),
  statement<UpdateValues & LayerValues>('update-state-of-person', withLayer(update)),
)

/** `former`: the payload before, if it was requested and the state existed. */
type WrittenRow = StateRow & { former?: Payload | null }

interface Writing {
  payload: Payload
  /** The keys that are written; null: all. */
  patch: Payload | null
  basis: string | null
  cause: string | null
  fence: string | null | undefined
  expiryMs: number | null
  isExplicit: boolean
  returnsFormer: boolean
}

/** Returns null when the stored state does not match the basis. */
async function writeState(
  { database, db }: StateDeps,
  where: StateLocation,
  { payload, patch, basis, cause, fence, expiryMs, isExplicit, returnsFormer }: Writing,
): Promise<WrittenRow | null> {
  const values = {
    ...toStateKey(where),
    revision: ulid(),
    payload: JSON.stringify(payload),
    patch: patch && JSON.stringify(patch),
    cause,
    expiryMs: toExpiryMs(expiryMs),
    isExplicit,
    fences: fencing.toFences([fence]),
  }
  const isBasedOnOne = basis !== null && basis !== ''
  try {
    const [row] = await database.run<WrittenRow>(
      ...(isBasedOnOne
        ? updateStatement({ ...values, basis })
        : upsertStatement({
            ...values,
            id: newId('state'),
            mayReplace: basis === null,
            returnsFormer: returnsFormer && basis === null,
          })),
    )
    return row ?? null
  } catch (error) {
    if (isMissing(error)) await explainMissing(db, where)
    throw error
  }
}

const toExpiryMs = (ms: number | null) => ms && Math.min(Math.round(ms), maxExpiryMs)

/** Throws the error for a foreign key that was deleted between the check and the write. */
async function explainMissing(db: Db, where: StateLocation): Promise<never> {
  await checkSubject(db, where)
  throw where.alias === null
    ? botStore.notFound(where.botId)
    : new ApiError('Forbidden', 'This integration is not installed in this bot')
}

/** A merge or split that ends meanwhile moves the state of a person: the second run finds it. */
async function runAtHome(
  { run }: Pick<Database, 'run'>,
  where: StateLocation,
  bind: (key: StateKey) => BoundStatement,
): Promise<StateRow | undefined> {
  const key = toStateKey(where)
  const [row] = await run<StateRow>(...bind(key))
  if (row || !isOfPerson(key)) return row
  return (await run<StateRow>(...bind(key)))[0]
}

const deleteStatement = stateStatement<StateKey & { fences: string[] | null }>(
  'delete-state',
  (
    isHere,
  ) => `delete from state where ${isHere} and ${isAlive('state')} and ${fencing.isUnfenced(':fences')}
   returning ${columns}`,
)

/**
 * Deletes a state and returns it without its payload. Succeeds if there is none. Throws
 * ReferenceNotFound.
 */
export async function deleteState(
  { database, db }: StateDeps,
  where: StateLocation,
  { fence = null, onChanged }: Pick<StateInput, 'fence' | 'onChanged'> = {},
): Promise<StateRow> {
  await checkSubject(db, where)
  const row = await runAtHome(database, where, (key) =>
    deleteStatement({ ...key, fences: fencing.toFences([fence]) }),
  )
  if (row) onChanged?.(row.payload, {})
  return { ...(row ?? neverSet(where)), payload: {} }
}

const setExpiryStatement = stateStatement<StateKey & { expiryMs: number | null }>(
  'set-state-expiry',
  (isHere) => `
  update state set expiry_ms = :expiryMs, expiry_given = true,
    expires_at = ${after(':expiryMs::bigint')}
  where ${isHere} and ${isAlive('state')} returning ${columns}`,
)

/**
 * Sets the expiry, overriding the definition; null for a state that never expires. Throws
 * ResourceNotFound.
 */
export async function setExpiry(
  { database }: StateDeps,
  where: StateLocation,
  expiryMs: number | null,
): Promise<StateRow> {
  const row = await runAtHome(database, where, (key) =>
    setExpiryStatement({ ...key, expiryMs: toExpiryMs(expiryMs) }),
  )
  if (!row) throw noState(where)
  return row
}

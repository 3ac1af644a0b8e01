// The steps of running broadcasts. A step is one transaction, which locks the row of the broadcast: it stores
// a page of recipients, or writes the messages of the next ones. So it happens completely or not at all.
import { ApiError, type ErrorType, type QuietHours } from '@botstead/contract'
import type { Logger } from 'pino'
import { findDeclaration } from '../../core/catalog/index.ts'
import { type Db, outages } from '../../core/db/index.ts'
import {
  type ConversationDeps,
  type InTransaction,
  inConversationTransaction,
} from '../../core/messaging/index.ts'
import { explainQueryErrors } from '../../core/tables/index.ts'
import {
  type BroadcastRow,
  failBroadcast,
  findWait,
  lockDue,
  postponeBroadcast,
  storeStep,
} from './broadcasts.ts'
import {
  type PersonalMessage,
  type ReadMessage,
  readMessage,
  writeMessage,
} from './personal-message.ts'
import { findQuietEnd } from './quiet-hours.ts'
import {
  countQueued,
  findNextDue,
  lockWaiting,
  type Outcome,
  pageTimeoutMs,
  settleLost,
  storeNextRecipients,
  storeOutcomes,
  type WaitingRow,
} from './recipients.ts'

export interface StepDeps extends ConversationDeps {
  log: Logger
}

/** A stop waits for a step, so a step must be short. */
const maxMessages = 100
/** People of one step, at most, for quiet hours. */
const maxQuiet = 500
/** Steps per second if there is enough to send. */
const stepsPerSecond = 5
/** Messages of a broadcast that its channel has not accepted: what a stop cannot hold back. */
const maxQueued = 500
const queuedPauseMs = 200
/** All messages are written; the channel has not accepted the last ones. */
const lastPauseMs = 1_000
const failurePauseMs = 10_000
const stepsPerRun = 50

/** Makes the steps that are due. Returns the milliseconds until the next one; null if none is planned. */
export async function runBroadcasts(deps: StepDeps): Promise<number | null> {
  for (let count = 0; count < stepsPerRun; count++) if (!(await runStep(deps))) break
  const wait = await findWait(deps.database.db)
  return wait === null ? null : Math.max(0, wait)
}

/** Returns false if no step is due. */
async function runStep(deps: StepDeps): Promise<boolean> {
  const locked: BroadcastRow[] = []
  try {
    await inConversationTransaction(deps, async (inside) => {
      const row = await lockDue(inside.database.db)
      if (!row) return
      locked.push(row)
      await (row.resolved_at ? send(inside, row) : resolve(inside, row))
    })
  } catch (error) {
    if (!locked[0]) throw error
    await endFailedStep(deps, locked[0], error)
  }
  for (const { bot_id: botId, id } of locked)
    deps.changeFeed.publish({ topic: 'broadcasts', botId, id })
  return locked.length > 0
}

/** These errors may not occur again. */
const mayPass: ErrorType[] = ['Unavailable', 'ResourceLockedConflict', 'Internal']

/** What the request could not know, such as a deleted column, ends the broadcast with the reason. */
async function endFailedStep(
  { database: { db }, log }: StepDeps,
  row: BroadcastRow,
  error: unknown,
) {
  if (error instanceof ApiError && !mayPass.includes(error.type))
    return failBroadcast(db, row, error.message)
  if (!outages.isUnavailable(error))
    log.warn(
      { err: error, botId: row.bot_id, broadcastId: row.id },
      'a step of a broadcast failed',
    )
  return postponeBroadcast(db, row, failurePauseMs)
}

async function resolve(
  { database: { db } }: InTransaction,
  row: BroadcastRow,
): Promise<void> {
  const { variables } = readMessage(row.message)
  const { position, unknownRows } = await explainQueryErrors(pageTimeoutMs, () =>
    storeNextRecipients(db, row, variables),
  )
  const isResolved = position === null
  await storeStep(db, row, {
    unknownRows,
    isResolved,
    ...(position !== null && { position }),
  })
}

/** Messages per step, so that they are spread over the minute. */
const toStepSize = ({ per_minute: perMinute }: BroadcastRow) =>
  Math.max(1, Math.min(maxMessages, Math.round(perMinute / 60 / stepsPerSecond)))

async function send(inside: InTransaction, row: BroadcastRow): Promise<void> {
  const { db } = inside.database
  const size = toStepSize(row)
  await requireChannel(db, row)
  if ((await countQueued(db, row, maxQueued)) >= maxQueued)
    return awaitQueued(db, row, queuedPauseMs)
  const read = row.quiet_hours ? maxQuiet : size
  const waiting = await lockWaiting(db, row, read)
  const plans = planMessages(row, readMessage(row.message), waiting, size)
  const outcomes = await Promise.all(plans.map((plan) => carryOut(inside, row, plan)))
  await storeOutcomes(db, row, outcomes)
  const sent = outcomes.filter(({ messageId }) => messageId !== undefined).length
  if (waiting.length > 0)
    return storeStep(db, row, { next: Math.ceil((sent * 60_000) / row.per_minute) })
  const next = await findNextDue(db, row)
  if (next) return storeStep(db, row, { next: laterThanNow(next) })
  if ((await countQueued(db, row, 1)) > 0) return awaitQueued(db, row, lastPauseMs)
  await storeStep(db, row, { isDone: true })
}

async function awaitQueued(db: Db, row: BroadcastRow, pauseMs: number): Promise<void> {
  await settleLost(db, row)
  await storeStep(db, row, { next: pauseMs })
}

/** Throws RelationConflict: messages of a disabled channel would stay in the conversations. */
async function requireChannel(
  db: Db,
  { bot_id, integration, channel }: BroadcastRow,
): Promise<void> {
  const found = await findDeclaration(db, bot_id, integration, ['channels'])
  const isOpen =
    found?.alias === integration &&
    found.enabled &&
    !found.disabledChannels.includes(channel)
  if (!isOpen)
    throw new ApiError(
      'RelationConflict',
      `The channel "${channel}" of "${integration}" is not installed or disabled: enable it, then resume`,
    )
}

/** Rows that others have locked are due already. */
const laterThanNow = (at: Date) =>
  at.getTime() > Date.now() + queuedPauseMs ? at : queuedPauseMs

type Plan = { person: WaitingRow } & (
  | PersonalMessage
  | { dueAt: Date }
  | { skip: 'opted_out' | 'deleted' }
)

/** Plans at most `size` messages; people who get none do not count. */
function planMessages(
  { quiet_hours: quietHours }: Pick<BroadcastRow, 'quiet_hours'>,
  message: ReadMessage,
  waiting: WaitingRow[],
  size: number,
): Plan[] {
  const plans: Plan[] = []
  const now = new Date()
  let left = size
  for (const person of waiting) {
    if (left === 0) break
    const plan = planMessage(message, person, quietHours, now)
    if ('payload' in plan) left--
    plans.push(plan)
  }
  return plans
}

function planMessage(
  message: ReadMessage,
  person: WaitingRow,
  quietHours: QuietHours | null,
  now: Date,
): Plan {
  const { user, conversation } = person
  if (person.opted_out) return { person, skip: 'opted_out' }
  if (!conversation) return { person, skip: 'deleted' }
  const dueAt = quietHours && findQuietEnd(quietHours, user.tags, now)
  if (dueAt) return { person, dueAt }
  return { person, ...writePersonal(message, person, conversation) }
}

export const writePersonal = (
  message: ReadMessage,
  { user_id, conversation_id, user, variables }: WaitingRow,
  conversation: NonNullable<WaitingRow['conversation']>,
): PersonalMessage =>
  writeMessage(message, {
    user: { id: user_id, name: user.name, pictureUrl: user.picture_url, tags: user.tags },
    conversation: { id: conversation_id, tags: conversation.tags },
    row: variables ?? {},
  })

/** Messages have the tag `broadcast`, by which the end of their delivery finds the recipient. */
async function carryOut(
  inside: InTransaction,
  row: BroadcastRow,
  plan: Plan,
): Promise<Outcome> {
  const { user_id: userId, conversation_id: conversationId } = plan.person
  if ('dueAt' in plan) return { userId, state: 'waiting', dueAt: plan.dueAt }
  if ('skip' in plan)
    return {
      userId,
      state: 'skipped',
      reason: plan.skip,
      ...('detail' in plan && { detail: plan.detail }),
    }
  const { bot_id: botId, id, message } = row
  try {
    const written = await inside.messages.post({
      botId,
      conversationId,
      userId: botId,
      direction: 'outgoing',
      type: message.type,
      payload: plan.payload,
      tags: { broadcast: id },
    })
    return { userId, state: 'queued', messageId: written.id, sentAt: written.created_at }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code >= 500) throw error
    return { userId, state: 'skipped', reason: 'rejected', detail: error.message }
  }
}

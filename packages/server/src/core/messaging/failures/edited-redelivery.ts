// Redelivers a dead letter with another payload, after the checks of a new event or message.
import { ApiError } from '@botstead/contract'
import { installationStore } from '../../catalog/index.ts'
import { type GetRedactors, redactStored } from '../../compute/index.ts'
import { type Limits, limitRules } from '../../config/index.ts'
import type { Database, Db } from '../../db/index.ts'
import type { Queue } from '../../queue/index.ts'
import { checkDeclaredEvent } from '../events/declared-events.ts'
import { findEventRow } from '../events/events.ts'
import {
  type DeadLetterRow,
  findDeadLetter,
  redeliverWithPayload,
} from './dead-letters.ts'

interface Deps {
  db: Db
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  limits: Limits
  getRedactors: GetRedactors
}

/**
 * Throws ResourceNotFound, InvalidPayload if the payload does not match the declaration of the
 * event, LimitExceeded.
 */
export async function redeliverEdited(
  deps: Deps,
  botId: string,
  id: string,
  payload: Record<string, unknown>,
): Promise<void> {
  const found = await findDeadLetter(deps.database, botId, id)
  if (found.kind === 'change')
    throw new ApiError(
      'InvalidPayload',
      'A notification of a change has no payload to edit',
    )
  const isEvent = await isEventWithPayload(deps.db, botId, found)
  limitRules.rejectTooLarge(deps.limits, isEvent ? 'eventBytes' : 'messageBytes', payload)
  if (isEvent) await checkEvent(deps.db, botId, found.type ?? '', payload)
  // A message is an answer of the bot; events have the words of people.
  const stored =
    found.kind === 'event'
      ? await redactStored(deps.getRedactors, botId, payload)
      : payload
  await redeliverWithPayload(deps, botId, id, stored)
}

/** Other events show their message. */
async function isEventWithPayload(
  db: Db,
  botId: string,
  { kind, subject_id }: DeadLetterRow,
): Promise<boolean> {
  if (kind !== 'event') return false
  return (await findEventRow(db, botId, subject_id, null))?.payload !== null
}

/** Events of integrations have types like `alias:type`. Those of the bot have no schema. */
async function checkEvent(
  db: Db,
  botId: string,
  type: string,
  payload: Record<string, unknown>,
): Promise<void> {
  const [alias, ...rest] = type.split(':')
  if (rest.length === 0 || !(await installationStore.find(db, botId, alias!))) return
  await checkDeclaredEvent(db, botId, alias!, rest.join(':'), payload)
}

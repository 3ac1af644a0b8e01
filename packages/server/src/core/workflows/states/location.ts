// The location of a state: owner, subject and name.
import { ApiError } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../db/index.ts'
import { checkReferences } from '../../messaging/index.ts'
import { checkWorkflow } from '../workflows.ts'

export type StateType = Selectable<Schema['state']>['type']

export interface StateLocation {
  botId: string
  /** Alias of the integration that owns the state; null for the bot. */
  alias: string | null
  type: StateType
  subjectId: string
  name: string
}

interface Caller {
  botId: string
  integration: { id: string; alias: string } | null
}

/**
 * Converts a request to a location. An integration addresses its own states with the id of its
 * version, its only id. They are stored by alias, so the next version finds them.
 */
export function toStateLocation(
  { botId, integration }: Caller,
  { type, id, name }: { type: StateType; id: string; name: string },
): StateLocation {
  const isItself = type === 'integration' && id === integration?.id
  return { botId, alias: integration?.alias ?? null, type, subjectId: isItself ? '' : id, name }
}

/** The parameters of `isAtLocation`. */
export interface StateKey {
  botId: string
  owner: string
  type: StateType
  subjectId: string
  name: string
}

export const toStateKey = ({ botId, alias, type, subjectId, name }: StateLocation): StateKey => ({
  botId,
  owner: alias ?? '',
  type,
  subjectId,
  name,
})

/** A condition on `state`, with its whole key. */
export const isAtLocation = `bot_id = :botId and owner = :owner and type = :type
  and subject_id = :subjectId and name = :name`

/**
 * Checks that the subject exists and is visible to the owner of the state. Throws
 * ReferenceNotFound.
 */
export async function checkSubject(
  db: Db,
  { botId, alias, type, subjectId }: StateLocation,
): Promise<void> {
  if (type === 'conversation')
    await checkReferences(db, botId, alias, { conversationId: subjectId })
  if (type === 'user') await checkReferences(db, botId, alias, { userId: subjectId })
  if (type === 'workflow') await checkWorkflow(db, botId, subjectId, alias)
}

/** Integrations match the texts `No State found` and `not found` (conformance/assumptions.ts). */
export const noState = ({ type, subjectId, alias, name }: StateLocation) =>
  new ApiError(
    'ResourceNotFound',
    `No State found: state "${name}" of ${type} "${subjectId || alias}" was not found`,
  )

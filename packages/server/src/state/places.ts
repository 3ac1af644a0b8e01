// Where a state is kept: whose it is, of what, under which name.
import { ApiError } from '@botstead/contract'
import type { Db } from '../db/open.ts'
import type { StateType } from '../db/schema.ts'
import { checkReferences } from '../messaging/references.ts'
import { checkWorkflow } from '../workflows/workflows.ts'

export interface Place {
  botId: string
  /** Of the integration whose it is; null for the bot. */
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
 * An integration remembers things of itself under the id of its version, the only one it knows; the next version finds them, since they are kept
 * by its alias.
 */
export function placeOf(
  { botId, integration }: Caller,
  { type, id, name }: { type: StateType; id: string; name: string },
): Place {
  const isItself = type === 'integration' && id === integration?.id
  return { botId, alias: integration?.alias ?? null, type, subjectId: isItself ? '' : id, name }
}

/** In the order of the table's key. */
export const keyOf = ({ botId, alias, type, subjectId, name }: Place) => [
  botId,
  alias ?? '',
  type,
  subjectId,
  name,
]

/** Whether there is what is to be remembered something of, for who wants to remember it. Throws ReferenceNotFound. */
export async function checkSubject(db: Db, { botId, alias, type, subjectId }: Place): Promise<void> {
  if (type === 'conversation') await checkReferences(db, botId, alias, { conversationId: subjectId })
  if (type === 'user') await checkReferences(db, botId, alias, { userId: subjectId })
  if (type === 'workflow') await checkWorkflow(db, botId, subjectId, alias)
}

/** Integrations look for `No State found` or `not found` (conformance/assumptions.ts). */
export const noState = ({ type, subjectId, alias, name }: Place) =>
  new ApiError(
    'ResourceNotFound',
    `No State found: state "${name}" of ${type} "${subjectId || alias}" was not found`,
  )

// The location of a state: owner, subject and name.
import { ApiError } from '@botstead/contract'
import type { Selectable } from 'kysely'
import { type BoundStatement, type Db, type Schema, statement } from '../../db/index.ts'
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
  return {
    botId,
    alias: integration?.alias ?? null,
    type,
    subjectId: isItself ? '' : id,
    name,
  }
}

/** The parameters of `isAtLocation`. */
export interface StateKey {
  botId: string
  owner: string
  type: StateType
  subjectId: string
  name: string
}

export const toStateKey = ({
  botId,
  alias,
  type,
  subjectId,
  name,
}: StateLocation): StateKey => ({
  botId,
  owner: alias ?? '',
  type,
  subjectId,
  name,
})

/** A condition on `state`, with its whole key. */
export const isAt = (
  subject: string,
) => `bot_id = :botId and owner = :owner and type = :type
  and subject_id = ${subject} and name = :name`

const isAtLocation = isAt(':subjectId')
const isAtHome = isAt(
  `coalesce((select u.home_id from "user" u where u.bot_id = :botId and u.id = :subjectId), :subjectId)`,
)

/** Whether the users of a person share the state: the bot keeps it, and no integration. */
export const isOfPerson = ({ owner, type }: Pick<StateKey, 'owner' | 'type'>) =>
  type === 'user' && owner === ''

/**
 * Declares a statement on one state in two forms. That for the bot's states of users finds those of a
 * person, which are kept at one of its users.
 */
export function stateStatement<Values extends StateKey>(
  name: string,
  toText: (isHere: string) => string,
): (values: Values) => BoundStatement {
  return chosen(
    statement<Values>(name, toText(isAtLocation)),
    statement<Values>(`${name}-of-person`, toText(isAtHome)),
  )
}

/** Chooses the form of a statement by the state. */
export const chosen =
  <Usual extends StateKey, OfPerson extends StateKey>(
    usual: (values: Usual) => BoundStatement,
    ofPerson: (values: OfPerson) => BoundStatement,
  ) =>
  (values: Usual & OfPerson): BoundStatement =>
    isOfPerson(values) ? ofPerson(values) : usual(values)

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

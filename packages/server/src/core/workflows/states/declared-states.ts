// Checks that states are declared by the bot or the integration, with matching payloads. A bot that
// declares no states may set any. The same holds for states of plugins, which are compiled into the
// bot under their own names (`plugin#state`). States of workflows are never declared.
import { ApiError } from '@botstead/contract'
import { botDeclarations } from '../../bots/index.ts'
import { findDeclaration } from '../../catalog/index.ts'
import type { JsonSchema } from '../../compute/index.ts'
import { schemas } from '../../compute/index.ts'
import { type Limits, limitRules } from '../../config/index.ts'
import type { Db } from '../../db/index.ts'
import type { StateType } from './location.ts'

/** 30 days in ms. */
export const maxExpiryMs = 2_592_000_000

interface DeclaredState {
  type: StateType
  schema?: JsonSchema
  /** In ms. */
  expiry?: number
}

/**
 * Returns null for a state that needs no declaration. Throws InvalidPayload if the declaration is
 * missing.
 */
export async function findDeclaredState(
  db: Db,
  botId: string,
  alias: string | null,
  type: StateType,
  name: string,
): Promise<DeclaredState | null> {
  if (type === 'workflow') return null
  const { declared, free } =
    alias === null
      ? await declaredByBot(db, botId, name)
      : await declaredByIntegration(db, botId, alias, name)
  if (declared?.type === type) return declared
  if (!declared && free) return null
  throw new ApiError(
    'InvalidPayload',
    `The state "${name}" is not declared for the type "${type}"`,
  )
}

interface Found {
  declared: DeclaredState | null
  free: boolean
}

async function declaredByBot(db: Db, botId: string, name: string): Promise<Found> {
  const { declared, declaresAny } = await botDeclarations.findState(db, botId, name)
  return {
    declared: declared as DeclaredState | null,
    free: !declaresAny || name.includes('#'),
  }
}

async function declaredByIntegration(
  db: Db,
  botId: string,
  alias: string,
  name: string,
): Promise<Found> {
  const installed = await findDeclaration(db, botId, alias, ['states', name])
  return { declared: (installed?.declared ?? null) as DeclaredState | null, free: false }
}

/**
 * Throws LimitExceeded, InvalidDataFormat, and InvalidJsonSchema when the author's schema is
 * unusable.
 */
export async function checkPayload(
  limits: Limits,
  botId: string,
  payload: Record<string, unknown>,
  declared: DeclaredState | null,
): Promise<void> {
  limitRules.rejectTooLarge(limits, 'stateBytes', payload)
  const mismatch =
    declared?.schema && (await schemas.findMismatch(botId, declared.schema, payload))
  if (mismatch) throw new ApiError('InvalidDataFormat', `payload: ${mismatch}`)
}

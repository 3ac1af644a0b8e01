// Which states may be set: those that the bot, or the integration, declares, with payloads that match. A bot that declares none sets any, and so does
// one with what plugins brought along, which are compiled into it under names of their own (`plugin#state`). Workflows declare nothing at all.
import { ApiError } from '@botstead/contract'
import { findBotState } from '../bots/declarations.ts'
import type { Db } from '../db/open.ts'
import type { StateType } from '../db/schema.ts'
import { findDeclaration } from '../integrations/declarations.ts'
import { findMismatch, type JsonSchema } from '../lib/json-schemas.ts'
import { type Limits, refuseLarge } from '../limits.ts'

/** Milliseconds: 30 days. */
export const longestExpiry = 2_592_000_000

export interface DeclaredState {
  type: StateType
  schema?: JsonSchema
  /** In milliseconds. */
  expiry?: number
}

/** Null for what needs no declaration. Throws InvalidPayload for what would need one. */
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
  throw new ApiError('InvalidPayload', `The state "${name}" is not declared for the type "${type}"`)
}

interface Found {
  declared: DeclaredState | null
  free: boolean
}

async function declaredByBot(db: Db, botId: string, name: string): Promise<Found> {
  const { declared, declaresAny } = await findBotState(db, botId, name)
  return { declared: declared as DeclaredState | null, free: !declaresAny || name.includes('#') }
}

async function declaredByIntegration(db: Db, botId: string, alias: string, name: string): Promise<Found> {
  const installed = await findDeclaration(db, botId, alias, ['states', name])
  return { declared: (installed?.declared ?? null) as DeclaredState | null, free: false }
}

/** Throws LimitExceeded, InvalidDataFormat, and InvalidJsonSchema where the author's schema cannot be used. */
export function checkPayload(
  limits: Limits,
  payload: Record<string, unknown>,
  declared: DeclaredState | null,
): void {
  refuseLarge(limits, 'stateBytes', payload)
  const mismatch = declared?.schema && findMismatch(declared.schema, payload)
  if (mismatch) throw new ApiError('InvalidDataFormat', `payload: ${mismatch}`)
}

// Which events an integration may make: those that it declares, with payloads that match.
import { ApiError } from '@botstead/contract'
import type { Db } from '../db/open.ts'
import { findDeclaration } from '../integrations/declarations.ts'
import { findMismatch, type JsonSchema } from '../lib/json-schemas.ts'

/** Throws Forbidden when the integration is switched off, InvalidPayload for what it does not declare. Returns the type as the bot knows it. */
export async function checkDeclaredEvent(
  db: Db,
  botId: string,
  alias: string,
  type: string,
  payload: Record<string, unknown>,
): Promise<string> {
  const installed = await findDeclaration(db, botId, alias, ['events', type])
  if (!installed?.enabled) throw new ApiError('Forbidden', 'The bot has switched this integration off')
  const declared = installed.declared as { schema?: JsonSchema } | null
  if (!declared) throw new ApiError('InvalidPayload', `The event "${type}" is not declared`)
  const mismatch = declared.schema && findMismatch(declared.schema, payload)
  if (mismatch) throw new ApiError('InvalidPayload', `payload: ${mismatch}`)
  return `${installed.alias}:${type}`
}

// Checks that an integration creates only events that it declares, with matching payloads.
import { ApiError } from '@botstead/contract'
import { findDeclaration } from '../../catalog/index.ts'
import type { JsonSchema } from '../../compute/index.ts'
import { schemas } from '../../compute/index.ts'
import type { Db } from '../../db/index.ts'

/**
 * Returns the event type as the bot sees it. Throws Forbidden if the integration is disabled,
 * InvalidPayload for an undeclared type or a payload that does not match.
 */
export async function checkDeclaredEvent(
  db: Db,
  botId: string,
  alias: string,
  type: string,
  payload: Record<string, unknown>,
): Promise<string> {
  const installed = await findDeclaration(db, botId, alias, ['events', type])
  if (!installed?.enabled)
    throw new ApiError('Forbidden', 'The integration is disabled in this bot')
  const declared = installed.declared as { schema?: JsonSchema } | null
  if (!declared)
    throw new ApiError(
      'InvalidPayload',
      `The integration does not declare the event "${type}"`,
    )
  const mismatch =
    declared.schema && (await schemas.findMismatch(botId, declared.schema, payload))
  if (mismatch) throw new ApiError('InvalidPayload', `payload: ${mismatch}`)
  return `${installed.alias}:${type}`
}

import { ApiError } from '@botstead/contract'
import type { BotCaller } from '../callers/callers.ts'

/**
 * Returns the id of the bot for the bot itself and for people of its workspace. Throws Forbidden
 * for integrations, which must not see the bot's internals.
 */
export function operated({ botId, integration }: BotCaller): string {
  if (integration)
    throw new ApiError(
      'Forbidden',
      'Integrations cannot call this operation: use a bot key or a personal access token',
    )
  return botId
}

/**
 * Returns the id of the bot for people of its workspace. Throws Forbidden for bots and integrations:
 * their code runs on input of strangers.
 */
export function operatedByPerson({ botId, integration, account }: BotCaller): string {
  if (integration || !account)
    throw new ApiError(
      'Forbidden',
      'Only people can call this operation: use a personal access token',
    )
  return botId
}

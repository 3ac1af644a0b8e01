import { ApiError } from '@botstead/contract'
import type { BotCaller } from '../../services.ts'

/** The bot, or a person who looks after it. Not one of its integrations: they would see what is none of their business. Throws Forbidden. */
export function operated({ botId, integration }: BotCaller): string {
  if (integration) throw new ApiError('Forbidden', 'This is for the bot and for those who look after it')
  return botId
}

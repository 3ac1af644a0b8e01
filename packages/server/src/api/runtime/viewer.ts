import type { BotCaller } from '../../http/services.ts'

/**
 * Returns the alias of the calling integration, or null for the bot. It determines which tags and
 * objects are visible.
 */
export const viewerOf = ({ integration }: BotCaller) => integration?.alias ?? null

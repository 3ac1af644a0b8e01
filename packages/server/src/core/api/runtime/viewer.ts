import type { BotCaller } from '../../http/index.ts'

/**
 * Returns the alias of the calling integration, or null for the bot. This alias determines the
 * visible tags and objects.
 */
export const viewerOf = ({ integration }: BotCaller) => integration?.alias ?? null

import type { BotCaller } from '../callers/callers.ts'

/**
 * Returns the alias of the calling integration, or null for the bot. This alias determines the
 * visible tags and objects.
 */
export const getViewer = ({ integration }: BotCaller) => integration?.alias ?? null

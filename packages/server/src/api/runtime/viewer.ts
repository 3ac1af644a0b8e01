import type { BotCaller } from '../../services.ts'

/** The alias of the calling integration, or null for the bot: whose tags are shown, and whose things can be found. */
export const viewerOf = ({ integration }: BotCaller) => integration?.alias ?? null

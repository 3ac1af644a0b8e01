// Bots that are leaving this installation, have left it, or are arriving. No server here does work
// for them: their rows are those of another installation. modules/moves writes the table.

/**
 * Returns a condition for statements that claim work: the bot in this column does not rest. Not an
 * anti-join, for which the planner might read all rows, and not only the next ones of an index.
 */
export const isAwake = (botId: string) =>
  `(select true from resting_bot resting where resting.bot_id = ${botId}) is null`

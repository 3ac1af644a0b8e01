// Bots that are leaving this installation, have left it, or are arriving. No server here does work
// for them: their rows are those of another installation. features/archive/moves writes the table.

/**
 * Returns a condition for statements that claim work: the bot in this column does not rest. Not an
 * anti-join, for which the planner might read all rows, and not only the next ones of an index. The
 * column needs its table, because `resting_bot` has a column of the same name.
 */
export const isAwake = (botId: `${string}.${string}`) =>
  `(select true from resting_bot resting where resting.bot_id = ${botId}) is null`

// Bots that are leaving this installation, have left it, or are arriving. No server here does work
// for them: their rows are those of another installation. modules/moves writes the table.

/** Returns a condition for statements that claim work: the bot in this column does not rest. */
export const isAwake = (botId: string) =>
  `not exists (select from resting_bot resting where resting.bot_id = ${botId})`

import type { WorkspaceCaller } from './callers.ts'
import type { HttpServices } from './services.ts'

/** Whether the bot is in the caller's workspace, and its allow-list includes the caller. */
export const isVisibleBot = async (
  { callers }: HttpServices,
  caller: WorkspaceCaller,
  botId: string,
): Promise<boolean> =>
  (await callers.workspace(botId)) === caller.workspaceId &&
  !(await callers.isHidden(botId, caller))

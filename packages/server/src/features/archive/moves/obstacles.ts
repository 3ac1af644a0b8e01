// What a move of a workspace cannot carry, found before it begins.
import { type Database, statement } from '../../../core/db/index.ts'

interface Found {
  /** The move would break these: it does not begin. */
  obstacles: string[]
  /** What will not be as before. */
  remarks: string[]
}

/** Packages of the workspace that other workspaces of this installation use. */
const usedByOthers = statement<{ workspaceId: string }>(
  'packages-of-others',
  `
  select distinct i.name || ' ' || i.version as name from integration i
    join installation n on n.integration_id = i.id join bot b on b.id = n.bot_id
    where i.workspace_id = :workspaceId and b.workspace_id <> :workspaceId
  union
  select distinct p.name || ' ' || p.version from plugin p
    join bot_plugin n on n.plugin_id = p.id join bot b on b.id = n.bot_id
    where p.workspace_id = :workspaceId and b.workspace_id <> :workspaceId
  union
  select distinct i.name || ' ' || i.version from interface i
    join plugin_dependency d on d.interface_id = i.id
    where i.workspace_id = :workspaceId and d.workspace_id <> :workspaceId`,
)

const workspaceToMoveStatement = statement<{ workspaceId: string }>(
  'workspace-to-move',
  'select id from workspace where id = :workspaceId',
)

export async function listObstacles(
  database: Database,
  workspaceId: string,
): Promise<Found> {
  const found = await database.run(...workspaceToMoveStatement({ workspaceId }))
  if (found.length === 0)
    return { obstacles: [`Workspace "${workspaceId}" was not found.`], remarks: [] }
  const used = await database.run<{ name: string }>(...usedByOthers({ workspaceId }))
  const names = used.map(({ name }) => name).join(', ')
  return {
    obstacles: used.length
      ? [
          `Other workspaces of this installation use packages of the workspace: ${names}. ` +
            'Move those workspaces first, or remove the packages from their bots.',
        ]
      : [],
    remarks: [
      'User keys that you signed yourself with the chat key of this installation stay valid only if ' +
        'the target has the same BOTSTEAD_CHAT_KEY.',
      'Members whose e-mail address belongs to another account at the target get a changed address there; ' +
        'their tokens stay valid.',
      'Page tokens and URLs of bot versions are renewed: a client that pages through a list begins again.',
    ],
  }
}

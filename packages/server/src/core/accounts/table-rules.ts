import { selectBots, type Tables } from '../table-rules/index.ts'

const isMember = (workspace: string) =>
  `r.account_id in (select account_id from workspace_member where workspace_id = ${workspace})`

/** Personal tokens belong to people, internal ones to processes. */
const isTokenOfBot = (workspace: string) =>
  `r.account_id is null and not r.internal
      and (r.bot_id in ${selectBots(workspace)} or r.integration_id in (select id from integration
        where workspace_id = ${workspace}))`

export const tables = {
  account: {
    owner: {
      where: (workspace) =>
        `r.id in (select account_id from workspace_member where workspace_id = ${workspace}
    union all select account_id from pending_member where workspace_id = ${workspace})`,
    },
  },
  account_preference: { owner: { leftOut: 'belongs to a person, not to a workspace' } },
  first_start: { owner: { leftOut: 'describes the first start of this installation' } },
  pending_member: { owner: 'derived' },
  session: {
    owner: { leftOut: 'is a sign-in of a person at this installation' },
    plainBytes: ['hash', 'previous_hash'],
  },
  token: {
    owner: {
      where: isTokenOfBot,
      whereInMoves: (workspace) =>
        `(${isTokenOfBot(workspace)}) or (r.kind = 'pat' and ${isMember(workspace)})`,
    },
    plainBytes: ['hash'],
  },
  workspace: { owner: { where: (workspace) => `r.id = ${workspace}` } },
  workspace_member: { owner: 'derived' },
  workspace_preference: { owner: 'derived' },
} satisfies Tables

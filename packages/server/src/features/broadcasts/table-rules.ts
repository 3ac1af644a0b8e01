import {
  and,
  isOfBot,
  isUser,
  selectBots,
  type Tables,
} from '../../core/table-rules/index.ts'

const isOfWorkspace = (workspace: string) => `r.bot_id in ${selectBots(workspace)}`

export const tables = {
  broadcast: {
    owner: {
      // The copy of a running one would send the messages again.
      where: (workspace) => `${isOfWorkspace(workspace)} and r.state <> 'running'`,
      whereInMoves: isOfWorkspace,
    },
    person: {
      none: 'names the account that created it; its recipients are rows of another table',
    },
  },
  broadcast_opt_out: {
    owner: 'derived',
    person: {
      kind: 'optOuts',
      step: 174,
      belongs: (person) => and(isOfBot(person), isUser(person)),
    },
  },
  broadcast_recipient: {
    owner: {
      where: (
        workspace,
      ) => `${isOfWorkspace(workspace)} and exists (select from broadcast b
        where b.bot_id = r.bot_id and b.id = r.broadcast_id and b.state <> 'running')`,
      whereInMoves: isOfWorkspace,
    },
    person: {
      kind: 'broadcasts',
      step: 172,
      belongs: (person) => and(isOfBot(person), isUser(person)),
    },
  },
  broadcast_words: { owner: 'derived' },
} satisfies Tables

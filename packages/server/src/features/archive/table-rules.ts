import type { Tables } from '../../core/table-rules/index.ts'

const leaving = { leftOut: 'describes a move from this installation' }
const arriving = { leftOut: 'describes a move to this installation' }

export const tables = {
  archive_job: { owner: { leftOut: 'describes a file of this installation' } },
  arrival_blob: { owner: arriving },
  move_change: { owner: leaving },
  move_pause: { owner: leaving },
  resting_bot: { owner: { leftOut: 'describes a move from or to this installation' } },
  workspace_arrival: { owner: arriving },
  workspace_move: { owner: leaving },
} satisfies Tables

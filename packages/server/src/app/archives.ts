// The commands of archives and moves, with the rules of all tables.
import { createCommands } from '../features/archive/index.ts'
import { tableRules } from './tables.ts'

export const {
  backUpToFile,
  cancelMove,
  endForwarding,
  exportToFile,
  followMove,
  importFromFile,
  readMove,
  requestWorkspaceMove,
  restoreFromFile,
} = createCommands(tableRules)

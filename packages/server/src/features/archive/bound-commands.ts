// The commands of archives and moves.
import type { Tables } from '../../core/table-rules/index.ts'
import {
  backUpToFile,
  exportToFile,
  importFromFile,
  restoreFromFile,
} from './commands.ts'
import {
  cancelMove,
  endForwarding,
  followMove,
  readMove,
  requestWorkspaceMove,
} from './moves/commands.ts'
import { createWithInstallation } from './with-installation.ts'

/** `tableRules` are those of all tables. */
export function createCommands(tableRules: Tables) {
  const withInstallation = createWithInstallation(tableRules)
  return {
    backUpToFile: backUpToFile.bind(null, withInstallation),
    cancelMove: cancelMove.bind(null, withInstallation),
    endForwarding: endForwarding.bind(null, withInstallation),
    exportToFile: exportToFile.bind(null, withInstallation),
    followMove,
    importFromFile: importFromFile.bind(null, withInstallation),
    readMove: readMove.bind(null, withInstallation),
    requestWorkspaceMove: requestWorkspaceMove.bind(null, withInstallation),
    restoreFromFile: restoreFromFile.bind(null, withInstallation),
  }
}

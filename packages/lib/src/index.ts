export { type FairTurn, FairTurns } from './concurrency/fair-turns.ts'
export { isLong, nextSlice } from './concurrency/slices.ts'
export { Stoppable } from './concurrency/stoppable.ts'
export { clientAddress, parseTrust, type Trust, toNetwork } from './network/addresses.ts'
export { type LookUp, lookUpWithin } from './network/name-resolution.ts'
export {
  classifyAddress,
  isLocal,
  isPublic,
  parseReach,
  type Reach,
  reachOfOwners,
} from './network/reach.ts'
export { getHost, literalAddress, parseTargetUrl, UrlRejected } from './network/target-url.ts'
export { lowerPriority, permissionFlag } from './process/child-process.ts'
export { limitTime } from './process/cpu-wait.ts'
export { makeFolder, renameDurably, syncFolder, writeDurably } from './process/durable-files.ts'
export { startMemoryGuard } from './process/memory-guard.ts'
export {
  dataFolderBefore,
  isClone,
  ownCommand,
  runningCommand,
  startCommand,
} from './process/own-command.ts'
export {
  descendants,
  findMachine,
  isAlive,
  readProcessStart,
  readStartTime,
  readStat,
} from './process/process-life.ts'
export { StartAborted, StartError } from './process/start-error.ts'
export { findInexactNumber, keepsDigits, parseExactNumber } from './text/exact-numbers.ts'
export {
  sha256InSlices,
  toBytesInSlices,
  toSharedInSlices,
  toTextInSlices,
} from './text/long-texts.ts'

export { findRunning, startEmbedded } from './embedded.ts'
export { verifyBinaries } from './embedded-binaries.ts'
export { openUpgrade, requireSpace, type Upgrade } from './embedded-upgrade.ts'

export { type Embedded, findRunning, startEmbedded } from './embedded.ts'
export { openUpgrade, requireSpace, type Upgrade } from './embedded-upgrade.ts'

export { type Credentials, credentialsFile, readCredentials } from './credentials.ts'
export {
  type DiskWatch,
  isFull,
  readSpace,
  startDiskWatch,
  toFreeShare,
} from './disk-watch.ts'
export { Events } from './events.ts'
export {
  findMasterKey,
  isChatKeyPresent,
  openDatabaseKeys,
  openKeys,
  prepareMasterKey,
} from './keys.ts'
export { version } from './version.ts'

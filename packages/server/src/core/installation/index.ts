export { type Credentials, credentialsFile, readCredentials } from './credentials.ts'
export {
  type DiskSpace,
  type DiskWatch,
  isFull,
  lowFreeShare,
  percent,
  readSpace,
  startDiskWatch,
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

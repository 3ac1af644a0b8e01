import { tables } from './table-rules.ts'

export const sealingModule = { name: 'sealing', tables }
export { readCarriedKeys, storeCarriedKeys, userKeySecret } from './carried-keys.ts'
export { type Keyring, openKeyring } from './keyring.ts'
export { listRoots, opensAny, type SealedRoot } from './roots.ts'
export { addMasterKey, rejectOtherMasterKeys } from './rotation.ts'
export {
  checkSecretNames,
  openAll,
  openSecrets,
  type Secrets,
  sealChange,
} from './secrets.ts'

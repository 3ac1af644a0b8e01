import { tables } from './table-rules.ts'

export const sealingModule = { name: 'sealing', tables }
export { carriedKeys, userKeySecret } from './carried-keys.ts'
export { type Keyring, openKeyring } from './keyring.ts'
export { type SealedRoot, sealedRoots } from './roots.ts'
export { addMasterKey, rejectOtherMasterKeys } from './rotation.ts'
export { type Secrets, secretValues } from './secrets.ts'

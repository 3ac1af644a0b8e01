// Signs archives. Each installation derives a key pair from its master key. Every reader can verify a
// signature, so modified archives are rejected.
import { type Signer, toSigner } from '@botstead/lib'
import type { Secrets } from '../../../core/sealing/index.ts'

export const createSigner = (secrets: Pick<Secrets, 'derive'>): Signer =>
  toSigner(secrets.derive('archives'))

// Receipts of erasures: signed with the key of the installation, as archives are.
import { ErasureReceipt, type ReceiptVerification } from '@botstead/contract'
import { isSignedBy, toFingerprint, withSortedKeys } from '@botstead/lib'
import { Check } from 'typebox/value'
import type { Secrets } from '../../core/sealing/index.ts'
import { createSigner } from '../archive/index.ts'

type Unsigned = Omit<ErasureReceipt, 'signer' | 'signature'>

type Own = Pick<Secrets, 'derive'>

export function signReceipt(secrets: Own, receipt: Unsigned): ErasureReceipt {
  const signer = createSigner(secrets)
  const content = { ...receipt, signer: signer.publicKey }
  return { ...content, signature: signer.sign(signedContent(content)) }
}

export function verifyReceipt(secrets: Own, value: unknown): ReceiptVerification {
  if (!Check(ErasureReceipt, value)) return { isValid: false, reason: 'MALFORMED' }
  const { signature, ...content } = value
  const fingerprint = toFingerprint(content.signer)
  if (!isSignedBy(content.signer, signedContent(content), signature))
    return { isValid: false, reason: 'MODIFIED', signer: fingerprint }
  if (content.signer !== createSigner(secrets).publicKey)
    return { isValid: false, reason: 'OTHER_SIGNER', signer: fingerprint }
  return { isValid: true, signer: fingerprint }
}

/** The heading keeps the signature from being one of another kind of document. */
const signedContent = (content: Omit<ErasureReceipt, 'signature'>) =>
  Buffer.from(`botstead erasure receipt\n${JSON.stringify(withSortedKeys(content))}`)

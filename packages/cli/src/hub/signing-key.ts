// The key that signs the bundles of an installation. The first export creates it in the data folder.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError, UsageError } from '../failure.ts'
import { dataFolder } from '../server/credentials.ts'
import { toFingerprint, toPublicKey } from './bundle.ts'

const fileName = 'hub-signing-key.pem'

/** Reads `--key`, or the key of the data folder, which it creates. */
export function openSigningKey(file: string | undefined): KeyObject {
  if (file !== undefined) return readKey(file)
  const folder = dataFolder()
  if (!existsSync(folder))
    throw new UsageError(
      `there is no data folder ${folder} with a key: set BOTSTEAD_DATA, or pass --key <file> with an ` +
        'Ed25519 key ("openssl genpkey -algorithm ed25519 -out <file>" creates one)',
    )
  const own = join(folder, fileName)
  if (!existsSync(own)) createKey(own)
  return readKey(own)
}

/** Returns the public key of the data folder; null without one. */
function findOwnPublicKey(): string | null {
  const own = join(dataFolder(), fileName)
  return existsSync(own) ? toPublicKey(readKey(own)) : null
}

/** `wx`: of two exports at the same time, the second one reads the key of the first. */
function createKey(file: string): void {
  const pem = generateKeyPairSync('ed25519').privateKey.export({
    format: 'pem',
    type: 'pkcs8',
  })
  try {
    writeFileSync(file, pem, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function readKey(file: string): KeyObject {
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    throw new CliError(
      `cannot read the key ${file} (${(error as NodeJS.ErrnoException).code})`,
    )
  }
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new CliError(`${file} is not a private key in PEM without a passphrase`)
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new CliError(
      `the key ${file} is of the type ${key.asymmetricKeyType}; it must be ed25519`,
    )
  return key
}

/**
 * Throws unless this installation or a trusted key signed the bundle. `trusted`: public keys or
 * fingerprints.
 */
export function rejectUnknownSigner(publicKey: string, trusted: string[]): void {
  const fingerprint = toFingerprint(publicKey)
  const known = trusted.map((one) => one.toLowerCase().replaceAll(/[\s:]/g, ''))
  const invalid = known.find((one) => !/^[0-9a-f]{64}$/.test(one))
  if (invalid !== undefined)
    throw new UsageError(
      `--trust "${invalid.slice(0, 80)}" is neither a public key nor a fingerprint: both have 64 ` +
        'hexadecimal digits',
    )
  if (known.includes(fingerprint) || known.includes(publicKey)) return
  if (publicKey === findOwnPublicKey()) return
  throw new CliError(
    `the signer ${fingerprint} is unknown: nothing was published. Ask the sender for the fingerprint ` +
      '("hub key" prints it), and pass it with --trust',
  )
}

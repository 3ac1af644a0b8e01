// The format of bundles: built packages in one signed file. It is text and bytes without compression, so
// that every byte has one meaning:
//
//   BOTSTEAD HUB BUNDLE 1
//   {"manifest":"<SHA-256>","publicKey":"<hex>","signature":"<hex>"}
//   {"format":1,"createdAt":"…","packages":[…],"entries":[{"name":"…","size":1,"sha256":"…"},…]}
//   <size> <name of the first entry>
//   <its bytes>
//   …
//
// Each line and each entry ends with a line feed. The signature covers the digest of the manifest, which
// has the digest of each entry.
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export interface Entry {
  name: string
  content: Buffer
}

export interface BundledPackage {
  kind: 'interface' | 'integration'
  name: string
  version: string
}

export interface Bundle {
  /** Hexadecimal. */
  publicKey: string
  createdAt: string
  packages: BundledPackage[]
  entries: Entry[]
}

interface Manifest {
  format: 1
  createdAt: string
  packages: BundledPackage[]
  entries: { name: string; size: number; sha256: string }[]
}

const title = 'BOTSTEAD HUB BUNDLE 1'
const lineFeed = 10
/** Of an Ed25519 public key in DER (SPKI), before its 32 bytes. */
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')
const hex = (bytes: number) => new RegExp(`^[0-9a-f]{${2 * bytes}}$`)

const sha256 = (content: string | Buffer) =>
  createHash('sha256').update(content).digest('hex')

/** Identifies a signer: the SHA-256 of the public key, in hexadecimal. */
export const toFingerprint = (publicKey: string) => sha256(Buffer.from(publicKey, 'hex'))

export const toPublicKey = (key: KeyObject): string =>
  createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(publicPrefix.length)
    .toString('hex')

/** Separates these signatures from others by the same key. */
const toSigned = (manifestDigest: string) => Buffer.from(`${title}\n${manifestDigest}`)

export function writeBundle(
  key: KeyObject,
  { packages, entries, createdAt }: Omit<Bundle, 'publicKey'>,
): Buffer {
  const listed = entries.map(({ name, content }) => ({
    name,
    size: content.length,
    sha256: sha256(content),
  }))
  const manifest = JSON.stringify({ format: 1, createdAt, packages, entries: listed })
  const digest = sha256(manifest)
  const signature = sign(null, toSigned(digest), key).toString('hex')
  const seal = toSeal({ manifest: digest, publicKey: toPublicKey(key), signature })
  const parts = entries.flatMap(({ name, content }) => [
    Buffer.from(`${content.length} ${name}\n`),
    content,
    Buffer.from('\n'),
  ])
  return Buffer.concat([Buffer.from(`${title}\n${seal}\n${manifest}\n`), ...parts])
}

const toSeal = ({ manifest, publicKey, signature }: Seal) =>
  JSON.stringify({ manifest, publicKey, signature })
type Seal = Record<'manifest' | 'publicKey' | 'signature', string>

type Verification =
  | { bundle: Bundle; changed: null }
  | { bundle: null; changed: string[] }

/** Returns the content, or the parts that are not as they were signed. */
export function readBundle(bytes: Buffer): Verification {
  const [first, second, third] = splitHead(bytes)
  if (first?.text !== title) return rejected(`line 1: it must be "${title}"`)
  const seal = second && parseSeal(second.text)
  if (!seal)
    return rejected('line 2: the digest, the public key or the signature is changed')
  const digest = third ? sha256(third.line) : ''
  if (!isSigned(seal)) return rejected(explainSignature(seal, digest))
  if (!third || digest !== seal.manifest)
    return rejected('line 3: the manifest is changed')
  const manifest = JSON.parse(third.text) as Manifest
  const { entries, changed } = readEntries(bytes, third.end, manifest)
  if (changed.length > 0) return { bundle: null, changed }
  const { createdAt, packages } = manifest
  return {
    bundle: { publicKey: seal.publicKey, createdAt, packages, entries },
    changed: null,
  }
}

const rejected = (changed: string): Verification => ({ bundle: null, changed: [changed] })

/** Returns the first three lines; fewer if the file ends before. */
function splitHead(bytes: Buffer) {
  const lines: { line: Buffer; text: string; end: number }[] = []
  for (let start = 0; lines.length < 3; ) {
    const end = bytes.indexOf(lineFeed, start)
    if (end === -1) break
    const line = bytes.subarray(start, end)
    lines.push({ line, text: line.toString(), end: end + 1 })
    start = end + 1
  }
  return lines
}

/** Only the spelling that `writeBundle` writes: no other bytes mean the same. */
function parseSeal(text: string): Seal | null {
  let seal: Partial<Seal>
  try {
    seal = JSON.parse(text) as Partial<Seal>
  } catch {
    return null
  }
  const { manifest = '', publicKey = '', signature = '' } = seal ?? {}
  const isComplete =
    hex(32).test(manifest) && hex(32).test(publicKey) && hex(64).test(signature)
  const whole = { manifest, publicKey, signature }
  return isComplete && toSeal(whole) === text ? whole : null
}

function isSigned({ manifest, publicKey, signature }: Seal): boolean {
  const der = Buffer.concat([publicPrefix, Buffer.from(publicKey, 'hex')])
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verify(null, toSigned(manifest), key, Buffer.from(signature, 'hex'))
  } catch {
    return false
  }
}

const explainSignature = (seal: Seal, digest: string) =>
  isSigned({ ...seal, manifest: digest })
    ? 'line 2: the digest of the manifest is changed'
    : 'line 2: the signature does not fit the manifest and the public key'

function readEntries(bytes: Buffer, start: number, { entries }: Manifest) {
  const read: Entry[] = []
  const changed: string[] = []
  let at = start
  for (const { name, size, sha256: digest } of entries) {
    const heading = Buffer.from(`${size} ${name}\n`)
    const found = bytes.subarray(at, at + heading.length)
    const displaced = found.equals(heading)
      ? null
      : explainHeading(bytes, at, name, entries)
    if (displaced?.isElsewhere)
      return { entries: read, changed: [...changed, displaced.text] }
    if (displaced) changed.push(displaced.text)
    const content = bytes.subarray(at + heading.length, at + heading.length + size)
    at += heading.length + size + 1
    if (at > bytes.length)
      return { entries: read, changed: [...changed, `${name}: the file ends in it`] }
    if (bytes[at - 1] !== lineFeed)
      changed.push(`${name}: the line feed after it is changed`)
    if (sha256(content) !== digest) changed.push(`${name}: its content is changed`)
    read.push({ name, content })
  }
  if (at < bytes.length) changed.push(`${bytes.length - at} bytes after the last entry`)
  return { entries: read, changed }
}

/** `isElsewhere`: another entry is in its place, so that those that follow cannot be compared. */
function explainHeading(
  bytes: Buffer,
  at: number,
  name: string,
  entries: Manifest['entries'],
) {
  if (at >= bytes.length)
    return { isElsewhere: true, text: `${name}: it is missing, the file ends before it` }
  const end = bytes.indexOf(lineFeed, at)
  const there = bytes.subarray(at, end === -1 ? undefined : end).toString()
  const other = entries.find(
    (one) => there === `${one.size} ${one.name}` && one.name !== name,
  )
  if (!other) return { isElsewhere: false, text: `${name}: its heading is changed` }
  return {
    isElsewhere: true,
    text: `${name}: ${other.name} is in its place; entries are missing, doubled or in another order`,
  }
}

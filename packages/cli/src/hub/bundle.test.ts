import { generateKeyPairSync, randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type Entry,
  readBundle,
  toFingerprint,
  toPublicKey,
  writeBundle,
} from './bundle.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const createdAt = '2026-01-01T00:00:00.000Z'
const packages = [{ kind: 'integration' as const, name: 'courier', version: '1.0.0' }]
const entry = (name: string, content: string | Buffer): Entry => ({
  name,
  content: Buffer.from(content),
})
const entries = [
  entry('a/definition.json', '{"name":"courier"}'),
  entry('a/code.cjs', `exports.handler = () => 1\n${'x'.repeat(300)}`),
  entry('a/icon', Buffer.from([0, 10, 255, 10, 0])),
  entry('a/readme.md', '# Courier\n'),
]
const bundle = writeBundle(privateKey, { packages, entries, createdAt })
const changedParts = (bytes: Buffer) => readBundle(bytes).changed?.join('\n') ?? ''

test('reads what it wrote', () => {
  expect(readBundle(bundle)).toEqual({
    changed: null,
    bundle: { publicKey: toPublicKey(privateKey), createdAt, packages, entries },
  })
  expect(toFingerprint(toPublicKey(privateKey))).toMatch(/^[0-9a-f]{64}$/)
})

/** Returns the part that has the byte, as a problem names it. */
function partAt(at: number): RegExp {
  const lines = [0, 1, 2].map(
    (n) =>
      bundle
        .toString('latin1')
        .split('\n', n + 1)
        .join('\n').length,
  )
  const line = lines.findIndex((end) => at <= end)
  if (line !== -1) return new RegExp(`^line [${line + 1}${line + 2}]`, 'm')
  let end = lines[2]! + 1
  const found = entries.find(({ name, content }) => {
    end += `${content.length} ${name}\n`.length + content.length + 1
    return at < end
  })
  return new RegExp(`^${found!.name}: `, 'm')
}

test('names the part of each changed byte', () => {
  for (let at = 0; at < bundle.length; at++) {
    const changed = Buffer.from(bundle)
    changed[at] = changed[at]! ^ (1 << randomInt(8))
    expect(changedParts(changed), `byte ${at}`).toMatch(partAt(at))
  }
})

test('names the part of each byte with any other value, in the lines before the entries', () => {
  const end = bundle.indexOf('a/definition.json') // within the manifest
  for (let at = 0; at < end; at++)
    for (const value of [0, 10, 32, 48, 97, 65, 123, 255]) {
      if (bundle[at] === value) continue
      const changed = Buffer.from(bundle)
      changed[at] = value
      expect(changedParts(changed), `byte ${at}: ${value}`).toMatch(/^line [123]/)
    }
})

test('names where a shorter file ends, for each length', () => {
  for (let length = 0; length < bundle.length; length++)
    expect(changedParts(bundle.subarray(0, length)), `${length} bytes`).toMatch(
      /^(line [123]|a\/[a-z.]+: (it is missing|the file ends))/m,
    )
})

test('names bytes at the end, and removed and inserted bytes', () => {
  expect(changedParts(Buffer.concat([bundle, Buffer.from('\n')]))).toBe(
    '1 bytes after the last entry',
  )
  for (let at = 0; at < bundle.length; at++) {
    const [before, after] = [bundle.subarray(0, at), bundle.subarray(at)]
    expect(
      changedParts(Buffer.concat([before, after.subarray(1)])),
      `without ${at}`,
    ).not.toBe('')
    expect(
      changedParts(Buffer.concat([before, Buffer.from('x'), after])),
      `more at ${at}`,
    ).not.toBe('')
  }
})

test('names entries that are missing, doubled or in another order', () => {
  const head = bundle.subarray(0, bundle.indexOf('\n18 a/definition.json') + 1)
  const parts = entries.map(({ name, content }) =>
    Buffer.concat([
      Buffer.from(`${content.length} ${name}\n`),
      content,
      Buffer.from('\n'),
    ]),
  )
  const [first, second, third, fourth] = parts as [Buffer, Buffer, Buffer, Buffer]
  const read = (...order: Buffer[]) => changedParts(Buffer.concat([head, ...order]))
  expect(read(first, second, third, fourth)).toBe('')
  const inPlace = 'is in its place; entries are missing, doubled or in another order'
  expect(read(second, first, third, fourth)).toBe(
    `a/definition.json: a/code.cjs ${inPlace}`,
  )
  expect(read(first, third, fourth)).toBe(`a/code.cjs: a/icon ${inPlace}`)
  expect(read(first, first, second, third, fourth)).toBe(
    `a/code.cjs: a/definition.json ${inPlace}`,
  )
  expect(read(first, second, third)).toBe(
    'a/readme.md: it is missing, the file ends before it',
  )
  expect(read(first, second, third, fourth, fourth)).toBe(
    `${fourth.length} bytes after the last entry`,
  )
})

test('rejects a signature of another key, and a manifest that another key signed', () => {
  const other = generateKeyPairSync('ed25519').privateKey
  const foreign = writeBundle(other, { packages, entries, createdAt })
  const lines = bundle.toString('latin1').split('\n')
  const seal = JSON.parse(lines[1]!)
  const swapped = { ...seal, publicKey: toPublicKey(other) }
  lines[1] = JSON.stringify(swapped)
  expect(changedParts(Buffer.from(lines.join('\n'), 'latin1'))).toMatch(
    /^line 2: the signature/,
  )
  expect(readBundle(foreign).bundle!.publicKey).not.toBe(toPublicKey(privateKey))
})

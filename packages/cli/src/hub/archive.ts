// Unpacks archives of sources (tar.gz, zip) into a folder. Nothing is written outside of it, and links are
// left out.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { CliError } from '../failure.ts'

interface File {
  path: string
  content: Buffer
}

const maxBytes = 512 * 1_048_576
const maxFiles = 50_000
const blockBytes = 512

export const isArchive = (path: string) => /\.(tgz|tar\.gz|zip)$/i.test(path)

/** Throws for a damaged archive, for too large ones, and for paths that leave the folder. */
export function unpack(archive: string, folder: string): void {
  const bytes = readFileSync(archive)
  let total = 0
  let count = 0
  for (const { path, content } of /\.zip$/i.test(archive)
    ? readZip(bytes)
    : readTar(gunzip(bytes))) {
    total += content.length
    if (total > maxBytes || ++count > maxFiles) throw tooLarge()
    const file = join(folder, ...toSafeParts(path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

const damaged = (reason: string) => new CliError(`the archive is damaged: ${reason}`)
const tooLarge = () =>
  new CliError(
    `the archive has more than ${maxFiles} files or ${maxBytes / 1_048_576} MB of content`,
  )

function toSafeParts(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const isUnsafe =
    /^[/\\]|^[A-Za-z]:|[\\\0]/.test(path) || parts.includes('..') || parts.length === 0
  if (isUnsafe || path.length > 4096)
    throw new CliError(
      `the archive has a path that leaves its folder: ${JSON.stringify(path.slice(0, 200))}`,
    )
  return parts
}

function gunzip(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge()
      : damaged((error as Error).message)
  }
}

/** Names longer than 100 characters are in entries before their file: pax (`x`) or GNU (`L`). */
function* readTar(bytes: Buffer): Generator<File> {
  let longName: string | null = null
  for (let at = 0; at + blockBytes <= bytes.length; ) {
    const header = bytes.subarray(at, at + blockBytes)
    if (header.every((byte) => byte === 0)) return
    checkHeader(header)
    const size = readNumber(header, 124, 12)
    const content = bytes.subarray(at + blockBytes, at + blockBytes + size)
    if (content.length < size) throw damaged('it ends within a file')
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
    const type = String.fromCharCode(header[156]!)
    if (type === 'x')
      longName = /^\d+ path=(.*)$/m.exec(content.toString())?.[1] ?? longName
    else if (type === 'L') longName = readText(content, 0, content.length)
    else {
      const path = longName ?? toTarPath(header)
      longName = null
      if (type === '0' || type === '\0') yield { path, content }
    }
  }
}

function checkHeader(header: Buffer): void {
  const sum = header.reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 32 : byte), 0)
  if (readNumber(header, 148, 8) !== sum) throw damaged('a header has another checksum')
}

const toTarPath = (header: Buffer) => {
  const prefix = readText(header, 257, 5) === 'ustar' ? readText(header, 345, 155) : ''
  return `${prefix && `${prefix}/`}${readText(header, 0, 100)}`
}

function readText(bytes: Buffer, start: number, length: number): string {
  const part = bytes.subarray(start, start + length)
  const end = part.indexOf(0)
  return part.subarray(0, end === -1 ? undefined : end).toString()
}

/** Octal. Larger numbers, which begin with another byte, are beyond the limit. */
function readNumber(header: Buffer, start: number, length: number): number {
  const text = readText(header, start, length).trim()
  if (!/^[0-7]+$/.test(text)) throw damaged('a header has no number')
  return Number.parseInt(text, 8)
}

const endBytes = 22

/** Reads the directory at the end; what it does not list does not exist. */
function* readZip(bytes: Buffer): Generator<File> {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end === -1 || end + endBytes > bytes.length) throw damaged('it has no directory')
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50)
      throw damaged('its directory ends')
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const path = bytes.subarray(at + 46, nameEnd).toString()
    const isLink = ((bytes.readUInt32LE(at + 38) >>> 16) & 0o170000) === 0o120000
    if (!path.endsWith('/') && !isLink)
      yield { path, content: readZipped(bytes, at, path) }
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}

/** `at`: the entry of the directory. */
function readZipped(bytes: Buffer, at: number, path: string): Buffer {
  const [method, packed, size] = [
    bytes.readUInt16LE(at + 10),
    bytes.readUInt32LE(at + 20),
    bytes.readUInt32LE(at + 24),
  ]
  const header = bytes.readUInt32LE(at + 42)
  if (size > maxBytes || header + 30 > bytes.length) throw tooLarge()
  const start =
    header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
  const stored = bytes.subarray(start, start + packed)
  if (method !== 0 && method !== 8)
    throw new CliError(`the archive compresses ${path} in an unknown way`)
  const content = method === 0 ? stored : inflate(stored, size, path)
  if (content.length !== size || crc32(content) !== bytes.readUInt32LE(at + 16))
    throw damaged(`${path} has another size or checksum`)
  return content
}

function inflate(stored: Buffer, size: number, path: string): Buffer {
  try {
    return inflateRawSync(stored, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    throw damaged(`${path}: ${(error as Error).message}`)
  }
}

// Reads the files of a small archive: .tgz (also named .bpa) and .zip. Counts sizes while it unpacks.
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { ImportError } from './import-error.ts'

/** Of all files together, unpacked. */
const maxBytes = 50_000_000
const maxFiles = 5_000

/** Returns the files by path; null for bytes that are no archive. */
export function readArchive(bytes: Uint8Array): Map<string, Uint8Array> | null {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b)
      return readTar(gunzipSync(bytes, { maxOutputLength: maxBytes }))
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readZip(Buffer.from(bytes))
    return null
  } catch (error) {
    if (error instanceof ImportError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged()
  }
}

const tooLarge = () =>
  new ImportError(
    'tooLarge',
    `The archive has more than ${maxBytes} bytes or ${maxFiles} files. Export a smaller bot`,
  )
const damaged = () =>
  new ImportError('invalidFile', 'The archive is damaged. Export the bot again')

const toText = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const toName = (path: string) => path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '')

function add(files: Map<string, Uint8Array>, path: string, content: Uint8Array): void {
  if (files.size >= maxFiles) throw tooLarge()
  files.set(toName(path), content)
}

const block = 512

/** GNU and pax archives have long names in a separate entry before the file. */
function readTar(bytes: Buffer): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  const field = (at: number, length: number) =>
    toText(bytes.subarray(at, at + length)).replace(/\0[\s\S]*$/, '')
  let longName = ''
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(field(at + 124, 12).trim() || '0', 8)
    if (!Number.isSafeInteger(size) || size < 0 || at + block + size > bytes.length)
      throw damaged()
    const content = bytes.subarray(at + block, at + block + size)
    const [type, prefix] = [field(at + 156, 1), field(at + 345, 155)]
    const name = longName || (prefix ? `${prefix}/` : '') + field(at, 100)
    if (type === 'L') longName = toText(content).replace(/\0[\s\S]*$/, '')
    else if (type === 'x')
      longName = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(toText(content))?.[1] ?? ''
    else {
      if (type === '' || type === '0') add(files, name, content)
      longName = ''
    }
    at += block + Math.ceil(size / block) * block
  }
  return files
}

const endOfDirectory = 0x06054b50

function readZip(bytes: Buffer): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  let end = bytes.length - 22
  while (end >= 0 && bytes.readUInt32LE(end) !== endOfDirectory) end--
  if (end < 0) throw damaged()
  let [at, left] = [bytes.readUInt32LE(end + 16), maxBytes]
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) =>
      bytes.readUInt16LE(at + offset),
    ) as [number, number, number]
    const local = bytes.readUInt32LE(at + 42)
    const name = toText(bytes.subarray(at + 46, at + 46 + nameLength))
    const from =
      local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const data = bytes.subarray(from, from + packed)
    if (method !== 0 && method !== 8) throw damaged()
    const content = method === 0 ? data : inflateRawSync(data, { maxOutputLength: left })
    left -= content.length
    if (left <= 0) throw tooLarge()
    if (!name.endsWith('/')) add(files, name, content)
    at += 46 + nameLength + extra + comment
  }
  return files
}

// The app that people upload to Teams: a ZIP with a manifest and two icons
// (https://learn.microsoft.com/microsoftteams/platform/concepts/build-and-test/apps-package).
import { crc32, deflateSync } from 'node:zlib'
import type { GuideValues } from '../guide.ts'

/** Teams admits 30 characters. */
const maxName = 30

export function makeAppPackage({
  botName,
  configuration,
  webhookUrl,
}: GuideValues): Uint8Array {
  const name = botName.replace(/\p{C}/gu, '').trim().slice(0, maxName) || 'Bot'
  const id = String(configuration.appId ?? '').trim()
  // Teams wants addresses with HTTPS.
  const address = webhookUrl?.startsWith('https:')
    ? new URL(webhookUrl).origin
    : 'https://localhost'
  const manifest = {
    $schema:
      'https://developer.microsoft.com/json-schemas/teams/v1.16/MicrosoftTeams.schema.json',
    manifestVersion: '1.16',
    version: '1.0.0',
    id,
    developer: { name, websiteUrl: address, privacyUrl: address, termsOfUseUrl: address },
    name: { short: name, full: name },
    description: { short: `Chat with ${name}`, full: `Chat with ${name}` },
    icons: { color: 'color.png', outline: 'outline.png' },
    accentColor: '#0f766e',
    bots: [
      { botId: id, scopes: ['personal', 'team', 'groupchat'], supportsFiles: false },
    ],
    permissions: ['identity', 'messageTeamMembers'],
    validDomains: [],
  }
  return toZip({
    'manifest.json': Buffer.from(JSON.stringify(manifest, null, 2)),
    'color.png': toPng(192, (x, y) => (isBubble(x / 192, y / 192) ? white : green)),
    'outline.png': toPng(32, (x, y) => (isBubble(x / 32, y / 32) ? white : clear)),
  })
}

const white = [255, 255, 255, 255]
const green = [15, 118, 110, 255]
const clear = [0, 0, 0, 0]

/** A speech bubble; both from 0 to 1. */
const isBubble = (x: number, y: number) =>
  (x > 0.2 && x < 0.8 && y > 0.25 && y < 0.62) || (x > 0.3 && y >= 0.62 && x + y < 1.06)

function toPng(size: number, color: (x: number, y: number) => number[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // 8 bits of red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8)
  const numbers = Array.from({ length: size }, (_, i) => i)
  // Each line begins with the number of its filter: none.
  const lines = numbers.flatMap((y) => [0, ...numbers.flatMap((x) => color(x, y))])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(Buffer.from(lines))),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}

function toChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Stored without compression (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT). */
function toZip(files: Record<string, Buffer>): Buffer {
  const entries: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const common = toCommon(name, content)
    const entry = Buffer.concat([
      toBytes([0x04034b50, 4]),
      common,
      Buffer.from(name),
      content,
    ])
    // Length of the comment, disk, attributes, and where the entry begins.
    const more = toBytes([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4])
    directory.push(toBytes([0x02014b50, 4], [20, 2]), common, more, Buffer.from(name))
    entries.push(entry)
    offset += entry.length
  }
  const list = Buffer.concat(directory)
  const count = Object.keys(files).length
  const end = toBytes([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2])
  return Buffer.concat([
    ...entries,
    list,
    end,
    toBytes([list.length, 4], [offset, 4], [0, 2]),
  ])
}

/** Version, flags, method, time, date, checksum, sizes, lengths of the name and of other fields. */
const toCommon = (name: string, content: Buffer) =>
  toBytes(
    [20, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [0x21, 2],
    [crc32(content), 4],
    [content.length, 4],
    [content.length, 4],
    [name.length, 2],
    [0, 2],
  )

/** Numbers with their length in bytes, the smallest byte first. */
const toBytes = (...numbers: [value: number, length: number][]): Buffer =>
  Buffer.concat(
    numbers.map(([value, length]) => {
      const bytes = Buffer.alloc(length)
      bytes.writeUIntLE(value, 0, length)
      return bytes
    }),
  )

// E-mails (RFC 5322 with MIME): subject, people and date, then the text, then the attachments that can be
// read. The others are named.
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { type Block, type Blocks, UnreadableFile } from './blocks.ts'
import { htmlBlocks } from './html/html.ts'
import { textBlocks } from './text/plain-text.ts'

/** Returns null for a type that is not read. */
type AttachmentReader = (
  type: string,
  name: string,
  bytes: Uint8Array,
) => Promise<Blocks> | null

/** Throws UnreadableFile. */
export async function* mailBlocks(
  bytes: Uint8Array,
  readAttachment: AttachmentReader,
): AsyncGenerator<Block> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 32 })
  if (mail.headers.length === 0)
    throw new UnreadableFile('The file is no e-mail: it has no header fields')
  yield { kind: 'heading', level: 1, text: mail.subject ?? '' }
  yield { kind: 'paragraph', text: toHead(mail) }
  yield* toBody(mail)
  for (const attachment of mail.attachments)
    yield* attachmentBlocks(attachment, readAttachment)
}

const toHead = ({ from, to, cc, date }: Email) =>
  [
    ['From', from ? toText([from]) : ''],
    ['To', toText(to ?? [])],
    ['Cc', toText(cc ?? [])],
    ['Date', date ?? ''],
  ]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const toText = (addresses: Address[]): string =>
  addresses
    .map(({ name, address, group }) =>
      group
        ? `${name}: ${toText(group)}`
        : [name, address && `<${address}>`].filter(Boolean).join(' '),
    )
    .join(', ')

/** The part with the most structure: HTML, else text. */
const toBody = ({ html, text }: Email): Iterable<Block> =>
  html ? htmlBlocks(html) : textBlocks(text ?? '')

async function* attachmentBlocks(
  { filename, mimeType, content, disposition }: Attachment,
  readAttachment: AttachmentReader,
): AsyncGenerator<Block> {
  // Pictures inside of the text are seen there.
  if (disposition === 'inline' && mimeType.startsWith('image/')) return
  const name = filename ?? mimeType
  const bytes =
    typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  yield { kind: 'heading', level: 1, text: name }
  try {
    const blocks = await readAttachment(mimeType, name, bytes)
    if (blocks === null)
      return yield { kind: 'paragraph', text: `Attachment: ${mimeType}` }
    for await (const block of blocks) yield below(block)
  } catch (error) {
    const reason = error instanceof UnreadableFile ? error.message : 'It is damaged'
    yield { kind: 'paragraph', text: `This attachment cannot be read. ${reason}` }
  }
}

/** Headings of an attachment stand below its name. */
const below = (block: Block): Block =>
  block.kind === 'heading' && block.level > 0
    ? { ...block, level: block.level + 1 }
    : block

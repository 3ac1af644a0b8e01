// The content of a web page as a file: its type, its text as UTF-8, and its title.
import { Parser } from 'htmlparser2'
import { formatOf } from '../../../infra/extraction/formats.ts'
import { contentTypeOf, essence } from '../content-type.ts'
import { WebFailed, type WebResponse } from './web-requests.ts'

export interface PageContent {
  contentType: string
  bytes: Buffer
  title: string
}

const binary = ['pdf', 'docx', 'xlsx', 'pptx']
const maxTitleLength = 200

/** Throws WebFailed for a type that is not indexed. */
export function toContent({ headers, body }: WebResponse, page: URL): PageContent {
  const sent = headers['content-type']?.slice(0, 255)
  const type = sent ? essence(sent) : typeByName(page)
  const format = formatOf(type, page.pathname)
  if (!format) throw new WebFailed(`Pages of the type "${type.slice(0, 100)}" are not indexed`)
  const title = page.pathname.split('/').findLast((part) => part !== '') ?? page.host
  if (binary.includes(format)) return { contentType: type, bytes: body, title: decoded(title) }
  const bytes = toUtf8(body, charsetOf(sent ?? '', body))
  return {
    contentType: `${type}; charset=utf-8`,
    bytes,
    title: (format === 'html' && titleOfHtml(bytes)) || decoded(title),
  }
}

/** Pages without a type are HTML, unless their name says otherwise. */
function typeByName({ pathname }: URL): string {
  const type = contentTypeOf(pathname)
  return type === 'application/octet-stream' ? 'text/html' : type
}

/** Returns the character set of the header or of a `meta` element; empty without one. */
function charsetOf(contentType: string, body: Buffer): string {
  const beginning = body.subarray(0, 1_024).toString('latin1')
  const found =
    /;\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType) ??
    /<meta\s[^>]{0,200}charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(beginning)
  return found?.[1]?.toLowerCase() ?? ''
}

/** A file without a known character set stays as it is: the extraction detects some. */
function toUtf8(body: Buffer, charset: string): Buffer {
  if (charset === '' || /^utf-?8$/.test(charset)) return body
  try {
    return Buffer.from(new TextDecoder(charset).decode(body))
  } catch {
    return body
  }
}

function titleOfHtml(bytes: Buffer): string {
  let title = ''
  let isInside = false
  const parser = new Parser({
    onopentag(name) {
      isInside = name === 'title'
      if (name === 'body') parser.pause()
    },
    ontext(text) {
      if (isInside && title.length < maxTitleLength) title += text
    },
    onclosetag(name) {
      if (name !== 'title') return
      isInside = false
      parser.pause()
    },
  })
  parser.write(bytes.subarray(0, 65_536).toString())
  return title.replaceAll(/\s+/g, ' ').trim().slice(0, maxTitleLength).toWellFormed()
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).slice(0, maxTitleLength).toWellFormed()
  } catch {
    return text.slice(0, maxTitleLength)
  }
}

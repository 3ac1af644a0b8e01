// The content of a web page as a file: its type, its text as UTF-8, and the facts in its head.

import {
  decodeText,
  detectFormat,
  type Format,
  UnreadableFile,
} from '@botstead/extraction'
import { essence, guessContentType } from '@botstead/lib'
import { readHead } from './page-head.ts'
import { WebFailed, type WebResponse } from './web-requests.ts'

export interface PageContent {
  contentType: string
  bytes: Buffer
  title: string
  /** The page asks not to be indexed. */
  isNoIndex: boolean
}

const binary = ['pdf', 'docx', 'xlsx', 'pptx']
const maxTitleLength = 200

/** Throws WebFailed for a type that is not indexed. */
export function toContent({ headers, body }: WebResponse, page: URL): PageContent {
  const sent = headers['content-type']?.slice(0, 255)
  const type = sent ? essence(sent) : typeByName(page)
  const format = detectFormat(type, page.pathname)
  if (!format)
    throw new WebFailed(`Pages of the type "${type.slice(0, 100)}" are not indexed`)
  const title = page.pathname.split('/').findLast((part) => part !== '') ?? page.host
  if (binary.includes(format))
    return { contentType: type, bytes: body, title: decoded(title), isNoIndex: false }
  const bytes = toUtf8(body, sent ?? '', format)
  const head = format === 'html' ? readHead(bytes) : null
  return {
    contentType: `${type}; charset=utf-8`,
    bytes,
    title: head?.title || decoded(title),
    isNoIndex: head?.isNoIndex ?? false,
  }
}

/** Pages without a type are HTML, unless their name says otherwise. */
function typeByName({ pathname }: URL): string {
  const type = guessContentType(pathname)
  return type === 'application/octet-stream' ? 'text/html' : type
}

/** Throws WebFailed. */
function toUtf8(body: Buffer, contentType: string, format: Format): Buffer {
  try {
    return Buffer.from(decodeText(body, { contentType, isMarkup: format === 'html' }))
  } catch (error) {
    throw error instanceof UnreadableFile ? new WebFailed(error.message) : error
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).slice(0, maxTitleLength).toWellFormed()
  } catch {
    return text.slice(0, maxTitleLength)
  }
}

import type { Message } from '@botstead/contract'
import { markdown } from 'page/markdown.js'
import { toWrittenText } from './written-text.ts'

/** Returns a message as one line, Markdown of the bot without its marks. */
export function toText(message: Pick<Message, 'type' | 'payload' | 'direction'>): string {
  const text = toWrittenText(message)
  return message.direction === 'incoming' ? text : toLine(markdown(text)).trim()
}

const blocks = new Set([
  'P',
  'LI',
  'PRE',
  'BLOCKQUOTE',
  'TH',
  'TD',
  'BR',
  'H1',
  'H2',
  'H3',
  'H4',
])

const toLine = (node: Node): string =>
  node.nodeType === Node.TEXT_NODE
    ? (node as Text).data
    : [...node.childNodes].map(toLine).join('') + (blocks.has(node.nodeName) ? ' ' : '')

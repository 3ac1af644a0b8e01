import type { Message } from '@botstead/contract'
import { markdown } from 'page/markdown.js'
import { writtenTextOf } from './written-text.ts'

/** Returns a message as one line, Markdown of the bot without its marks. */
export function textOf(message: Pick<Message, 'type' | 'payload' | 'direction'>): string {
  const text = writtenTextOf(message)
  return message.direction === 'incoming' ? text : lineOf(markdown(text)).trim()
}

const blocks = new Set(['P', 'LI', 'PRE', 'BLOCKQUOTE', 'TH', 'TD', 'BR', 'H1', 'H2', 'H3', 'H4'])

const lineOf = (node: Node): string =>
  node.nodeType === Node.TEXT_NODE
    ? (node as Text).data
    : [...node.childNodes].map(lineOf).join('') + (blocks.has(node.nodeName) ? ' ' : '')

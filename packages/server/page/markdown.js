// Converts Markdown to elements: CommonMark with tables, struck text and bare addresses. Line
// breaks stay. HTML stays as text. Texts over 20,000 characters stay plain, because parsing may
// take time.

import MarkdownIt from 'markdown-it'
import { element, link, webAddress } from './dom.js'

const MAX_LENGTH = 20_000

const parser = new MarkdownIt({
  html: false,
  linkify: true,
  breaks: true,
  maxNesting: 30,
})
// Indented text is no code, and a line of dashes is always a rule.
parser.disable(['code', 'lheading'])
// Addresses are checked when their elements are created.
parser.validateLink = () => true
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
for (const scheme of ['ftp:', 'mailto:', '//']) parser.linkify.add(scheme, null)

/** Like in CommonMark, but a single `*` inside a word is no emphasis: `5*6*7`. */
parser.inline.State = class extends parser.inline.State {
  scanDelims(start, canSplitWord) {
    const found = super.scanDelims(start, canSplitWord)
    if (this.src[start] !== '*' || found.length > 1) return found
    const isInWord = (at) => /\w/.test(this.src[at] ?? '')
    return {
      ...found,
      can_open: found.can_open && !isInWord(start - 1),
      can_close: found.can_close && !isInWord(start + 1),
    }
  }
}

export function markdown(text) {
  const words = element('div', { class: 'words', dir: 'auto' })
  if (text.length <= MAX_LENGTH) fill(words, parser.parse(text, {}))
  // A text that consists of definitions of links, or is nested too deeply, would be invisible.
  return words.hasChildNodes()
    ? words
    : element('div', { class: 'plain', dir: 'auto' }, text)
}

/** Appends the elements of the tokens. Tokens with nesting 1 and -1 open and close an element. */
function fill(root, tokens) {
  const open = [{ node: root, end: '' }]
  for (const token of tokens) {
    const { node } = open.at(-1)
    if (token.nesting === 1) {
      const opened = openedBy(token, node)
      if (opened.node !== node) node.append(opened.node)
      open.push(opened)
    } else if (token.nesting === -1) node.append(open.pop().end)
    else append(node, token)
  }
}

/** Returns the element, or the parent, and the text at its end. */
function openedBy(token, parent) {
  if (token.type === 'link_open') return openedLink(token, parent)
  // The paragraphs of short list items.
  if (token.hidden) return { node: parent, end: '' }
  const tag = /^h\d$/.test(token.tag) ? 'h2' : token.tag
  if (tag === 'table') return { node: element(tag, { tabindex: 0 }), end: '' }
  return { node: element(tag, { start: token.attrGet('start') }), end: '' }
}

function openedLink(token, parent) {
  const target = token.attrGet('href')
  const href = webAddress(target)
  if (href) return { node: link(href, {}), end: '' }
  // `<user@example.com>` shows its address already.
  return { node: parent, end: token.info === 'auto' ? '' : ` (${target})` }
}

function append(node, token) {
  if (token.type === 'inline') fill(node, token.children)
  else if (token.type === 'text') node.append(token.content)
  else if (token.type === 'softbreak' || token.type === 'hardbreak')
    node.append(element('br'))
  else if (token.type === 'code_inline') node.append(element('code', {}, token.content))
  else if (token.type === 'fence')
    node.append(element('pre', {}, element('code', {}, token.content.replace(/\n$/, ''))))
  else if (token.type === 'hr') node.append(element('hr'))
  else if (token.type === 'image') {
    const { node: shown, end } = openedLink({ attrGet: () => token.attrGet('src') }, node)
    if (shown !== node) node.append(shown)
    shown.append(token.content, end)
  } else node.append(token.content)
}

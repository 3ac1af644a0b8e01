// Converts Markdown to elements: headings, lists, quotations, code, emphasis, links. Line breaks stay.
// Unknown syntax stays as text. Patterns are bounded so that no text is slow; texts over 20,000 characters
// stay plain.
import { element, link, webAddress } from './dom.js'

const MAX_LENGTH = 20_000
const MAX_DEPTH = 6

export function markdown(text) {
  if (text.length > MAX_LENGTH) return element('div', { class: 'plain', dir: 'auto' }, text)
  return element(
    'div',
    { class: 'words', dir: 'auto' },
    ...blocks(text.replaceAll('\r\n', '\n').split('\n'), 0),
  )
}

// Each parses the lines from `at` on and returns the element and the number of lines, or null for another
// kind.
const kinds = [fence, heading, rule, quotation, list]

function blocks(lines, depth) {
  const nodes = []
  let paragraph = []
  const endParagraph = () => {
    if (paragraph.length > 0) nodes.push(element('p', {}, ...inline(paragraph.join('\n'), depth)))
    paragraph = []
  }
  for (let at = 0; at < lines.length; ) {
    const found =
      lines[at].trim() === ''
        ? { used: 1 }
        : depth < MAX_DEPTH && kinds.reduce((hit, kind) => hit ?? kind(lines, at, depth), null)
    if (!found) paragraph.push(lines[at])
    else {
      endParagraph()
      if (found.element) nodes.push(found.element)
    }
    at += found ? found.used : 1
  }
  endParagraph()
  return nodes
}

function fence(lines, at) {
  if (!lines[at].startsWith('```')) return null
  const end = lines.findIndex((line, index) => index > at && line.startsWith('```'))
  const last = end < 0 ? lines.length : end
  return {
    element: element('pre', {}, element('code', {}, lines.slice(at + 1, last).join('\n'))),
    used: last - at + 1,
  }
}

function heading(lines, at, depth) {
  const match = /^#{1,6} (.*)$/.exec(lines[at])
  return match && { element: element('h2', {}, ...inline(match[1].replace(/ #+ *$/, ''), depth)), used: 1 }
}

function rule(lines, at) {
  return /^ {0,3}([-*_])( *\1){2,} *$/.test(lines[at].slice(0, 200))
    ? { element: element('hr'), used: 1 }
    : null
}

function quotation(lines, at, depth) {
  const inside = []
  while (at + inside.length < lines.length && lines[at + inside.length].startsWith('>'))
    inside.push(lines[at + inside.length].replace(/^> ?/, ''))
  return inside.length > 0
    ? { element: element('blockquote', {}, ...blocks(inside, depth + 1)), used: inside.length }
    : null
}

const BULLET = /^( {0,3})([-*+]|\d{1,9}[.)]) +/

function list(lines, at, depth) {
  const first = BULLET.exec(lines[at])
  if (!first) return null
  const ordered = /\d/.test(first[2])
  const items = []
  let next = at
  for (; next < lines.length; next++) {
    const bullet = BULLET.exec(lines[next])
    const beside = bullet && bullet[1].length < first[1].length + 2 && /\d/.test(bullet[2]) === ordered
    if (beside) items.push([lines[next].slice(bullet[0].length)])
    else if (/^( {2,}|\t)\S/.test(lines[next])) items.at(-1).push(lines[next].replace(/^(\t| {1,4})/, ''))
    else break
  }
  const start = ordered ? Number.parseInt(first[2], 10) : 1
  const entries = items.map((item) => element('li', {}, ...unwrapped(blocks(item, depth + 1))))
  return {
    element: element(ordered ? 'ol' : 'ul', start === 1 ? {} : { start }, ...entries),
    used: next - at,
  }
}

/** Removes the paragraph around the first text of a list item. */
const unwrapped = (nodes) =>
  nodes.length > 0 && nodes[0].localName === 'p' ? [...nodes[0].childNodes, ...nodes.slice(1)] : nodes

// Alternatives in order of precedence. Bounded lengths keep unclosed markup cheap.
const INLINE = new RegExp(
  [
    '\\\\(?<escaped>[\\\\`*_{}[\\]()#+.!~>|-])',
    '`(?<code>[^`\\n]{1,500})`',
    '!?\\[(?<label>[^\\][\\n]{1,300})\\]\\((?<target>[^()\\s]{1,2000}(?:\\([^()\\s]{0,100}\\)[^()\\s]{0,500})?)(?: "[^"\\n]{0,200}")?\\)',
    '\\*\\*(?<strong>[^\\s*](?:[^\\n]{0,500}?[^\\s])??)\\*\\*',
    '~~(?<struck>[^\\s~](?:[^~\\n]{0,500}[^\\s~])?)~~',
    '(?<![\\w*])\\*(?<star>[^\\s*](?:[^*\\n]{0,500}[^\\s*])?)\\*(?!\\w)',
    '(?<![\\w_])_(?<under>[^\\s_](?:[^_\\n]{0,500}[^\\s_])?)_(?!\\w)',
    '<?(?<url>https?://[^\\s<>"]{1,2000})>?',
    '(?<newline>\\n)',
  ].join('|'),
  'gu',
)

export function inline(text, depth = 0) {
  if (depth > MAX_DEPTH) return [text]
  const nodes = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    nodes.push(text.slice(at, match.index), ...piece(match, depth + 1))
    at = match.index + match[0].length
  }
  nodes.push(text.slice(at))
  return nodes.filter((node) => node !== '')
}

function piece({ 0: whole, groups }, depth) {
  if (groups.escaped) return [groups.escaped]
  if (groups.newline) return [element('br')]
  if (groups.code) return [element('code', {}, groups.code)]
  if (groups.label) return linked(groups.label, groups.target)
  if (groups.url) return bareLink(whole, groups.url)
  if (groups.strong) return [element('strong', {}, ...inline(groups.strong, depth))]
  if (groups.struck) return [element('s', {}, ...inline(groups.struck, depth))]
  return [element('em', {}, ...inline(groups.star ?? groups.under, depth))]
}

function linked(label, target) {
  const href = webAddress(target)
  return [href ? link(href, {}, label) : `${label} (${target})`]
}

/** Leaves punctuation after an address out of the link. */
function bareLink(whole, url) {
  const address = whole.startsWith('<') ? url : url.replace(/[.,;:!?'")\]]+$/, '')
  const href = webAddress(address)
  return href ? [link(href, {}, address), whole.startsWith('<') ? '' : url.slice(address.length)] : [whole]
}

// The title of a web page, and the rules of its owner for search engines: `noindex` in a `meta` element or
// in the header X-Robots-Tag, for all robots or for this one.
import { Parser } from 'htmlparser2'
import { productToken } from './robots.ts'

interface PageHead {
  title: string
  /** The page asks not to be indexed. */
  isNoIndex: boolean
}

const maxTitleLength = 200
const maxHeadBytes = 65_536

/** Reads the beginning of a page in UTF-8. */
export function readHead(bytes: Buffer): PageHead {
  let title = ''
  let isInTitle = false
  let isNoIndex = false
  const parser = new Parser({
    onopentag(name, { name: field = '', content = '' }) {
      isInTitle = name === 'title' && title === ''
      if (name === 'body') parser.pause()
      if (name === 'meta' && isForUs(field))
        isNoIndex ||= content.split(separators).some(forbids)
    },
    ontext(text) {
      if (isInTitle && title.length < maxTitleLength) title += text
    },
    onclosetag(name) {
      if (name === 'title') isInTitle = false
    },
  })
  parser.write(bytes.subarray(0, maxHeadBytes).toString())
  const shown = title
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxTitleLength)
    .toWellFormed()
  return { title: shown, isNoIndex }
}

const separators = /[\s,;]+/
const isForUs = (agent: string) =>
  /^(?:robots|\*)$/i.test(agent) || agent.toLowerCase() === productToken
const forbids = (rule: string) => /^(?:noindex|none)$/i.test(rule.trim())

/**
 * Returns whether X-Robots-Tag forbids indexing. `value` has a line for each header. A name of a robot
 * holds for the rules behind it in the line.
 */
export function isNoIndexHeader(value: string | undefined, now = Date.now()): boolean {
  return (value ?? '').split('\n').some((line) => {
    const end = /\bunavailable_after\s*:\s*([^\n]{1,60})/i.exec(line)
    let agent = '*'
    return (
      line
        .replace(end?.[0] ?? '', '')
        .split(',')
        .some((part) => {
          const [, name, rule = ''] = /^\s*(?:([\w-]+)\s*:)?(.*)$/s.exec(part)!
          // Rules with values, such as max-snippet, are no robots.
          if (name && !/^max-/i.test(name)) agent = name
          return isForUs(agent) && rule.split(separators).some(forbids)
        }) ||
      (isForUs(agent) && end !== null && Date.parse(end[1]!) < now)
    )
  })
}

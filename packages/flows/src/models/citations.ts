// Citations in a model's answer: `[1]`, `[2, 3]`. Removes those of passages that do not exist, and
// links that no passage contains, and numbers the others in the order of the text.
import type { KnowledgeResult } from '../engine/event-types.ts'

export interface Citation {
  number: number
  /** Title of the file, or the last part of its key. */
  title: string
  /** Of a web page. */
  url?: string
  fileId: string
  fileKey: string
  page?: number
  /** Text of the passage. */
  passage: string
}

export interface CitedAnswer {
  answer: string
  citations: Citation[]
  /** The cited passages: citation 1 is of the first one. */
  passages: KnowledgeResult[]
}

export const citationMarker = /\[(\d{1,4}(?:\s?[,;]\s?\d{1,4})*)\]/g
const spacedMarker = new RegExp(`\\s?\\s?${citationMarker.source}`, 'g')

/** Returns the answer with valid citations and links only. Passage 1 is the first one. */
export const citeAnswer = (text: string, passages: KnowledgeResult[]): CitedAnswer =>
  numberCitations(withoutInventedLinks(text, passages), passages)

/** Numbers citations in the order of the text, and removes those of passages that do not exist. */
export function numberCitations(text: string, passages: KnowledgeResult[]): CitedAnswer {
  const cited: KnowledgeResult[] = []
  const answer = text.replace(spacedMarker, (_, list: string) => {
    const found = list
      .split(/[,;]/)
      .flatMap((number) => passages[Number(number) - 1] ?? [])
    for (const passage of found) if (!cited.includes(passage)) cited.push(passage)
    const numbers = new Set(found.map((passage) => cited.indexOf(passage) + 1))
    return numbers.size === 0 ? '' : ` [${[...numbers].join(', ')}]`
  })
  return { answer: answer.trim(), citations: cited.map(toCitation), passages: cited }
}

const toCitation = (
  { content, title, url, fileId, fileKey, page }: KnowledgeResult,
  index: number,
): Citation => ({
  number: index + 1,
  title: title ?? fileKey.split('/').at(-1) ?? fileKey,
  fileId,
  fileKey,
  passage: content.slice(0, maxPassageLength).toWellFormed(),
  ...(url !== undefined && { url }),
  ...(page !== undefined && { page }),
})

const maxPassageLength = 1_000

// Bounded, and without overlapping parts: the time is linear in the text, which a model writes.
const markdownLink =
  /!?\[([^\][]{0,500})\]\(<?([^)\s>[]{1,1000})(?:[\s>][^)[]{0,200})?\)/g
const webAddress = /\bhttps?:\/\/[^\s<>()[\]"'`]{1,2000}/gi

/** A link may carry data of the conversation to its server, so it must occur in a passage. */
function withoutInventedLinks(text: string, passages: KnowledgeResult[]): string {
  const occurs = (url: string) => passages.some(({ content }) => content.includes(url))
  return text
    .replace(markdownLink, (link, label: string, url: string) =>
      occurs(url) ? link : label,
    )
    .replace(webAddress, (url) => (occurs(url.replace(/[.,;:!?]+$/, '')) ? url : ''))
}

/** Returns the lines of the sources below an answer. Chats make links of addresses. */
export const sourcesText = (citations: Citation[]) =>
  citations.map((citation) => `[${citation.number}] ${toPlace(citation)}`).join('\n')

/** Returns title, page and address of a source. */
export const toPlace = ({ title, url, page }: Citation) =>
  `${title}${page ? `, page ${page}` : ''}${url ? ` ${url}` : ''}`

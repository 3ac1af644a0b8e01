// Answers without a model: the server finds the sentence, table row or list that answers the question.
// If several are equally likely, the user chooses.
import type { FoundAnswer } from '@botstead/contract'
import { plain } from '../captures/words.ts'
import { isWebAddress } from '../engine/knowledge.ts'
import type { Citation } from '../models/citations.ts'

interface FoundText {
  answer: string
  citations: Citation[]
}

/** The label of an answer among others: its heading, else the file. */
export function toLabels(answers: FoundAnswer[]): string[] {
  const headings = answers.map(({ section, ...file }) => section.at(-1) ?? toTitle(file))
  const isUnique = new Set(headings).size === headings.length
  return headings.map((heading, at) => {
    const outer = answers[at]!.section.at(-2) ?? toTitle(answers[at]!)
    return (isUnique ? heading : `${outer}: ${heading}`).slice(0, maxLabel).toWellFormed()
  })
}

const maxLabel = 80

const toTitle = ({ title, fileKey }: Pick<FoundAnswer, 'title' | 'fileKey'>) =>
  title ?? fileKey.split('/').at(-1) ?? fileKey

/** Returns the answers to choose from; the only one if the question names it, as a button does. */
export function findChosen(question: string, answers: FoundAnswer[]): FoundAnswer[] {
  const labels = toLabels(answers)
  const named = answers.filter((_, at) => plain(labels[at]!) === plain(question))
  return named.length === 1 ? named : answers
}

export function toFoundText(found: FoundAnswer): FoundText {
  const { text, passage, fileId, fileKey, url, pageNumber } = found
  const citation = {
    number: 1,
    title: toTitle(found),
    fileId,
    fileKey,
    passage,
    ...(isWebAddress(url) && { url }),
    ...(pageNumber !== undefined && { page: pageNumber }),
  }
  return { answer: text, citations: [citation] }
}
